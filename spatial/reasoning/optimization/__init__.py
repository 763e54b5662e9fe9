"""The objectives of the task optimize: what is arranged, how good an arrangement is, and the check that it is one."""
