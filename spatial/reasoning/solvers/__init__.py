"""The solvers, one file per task type, and the registry that names them."""
