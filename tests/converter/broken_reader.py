"""Fails as OCP does on a machine without libGL."""

raise ImportError("libMissing.so.1: cannot open shared object file: No such file or directory")
