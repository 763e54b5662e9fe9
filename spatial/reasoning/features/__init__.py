"""Features of a body that its faces show: holes, pins, cylinder faces."""
