"""Motion of rigid bodies: measured from two scenes or sensor readings, and carried on until something is in the way."""
