"""Relations between the listed objects of a scene: what the document states, and what their geometry shows."""
