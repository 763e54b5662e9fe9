"""One module a step, oldest first by its number."""
