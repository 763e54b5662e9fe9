"""Processes for work that may crash, hang or be hostile: a fork server with loaded libraries, and isolated children.

The converter runs its parsers in such children, the reasoner its solvers. This package knows neither: a `Program` names the module that
runs in the children.
"""
