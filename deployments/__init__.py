import sys

# httpx imports its command line, which imports rich and pygments where they are installed: 5 MB of a process that has no use for them.
# It does without where that import fails, and None among the modules makes it fail (docs.python.org: the import system, 5.3.1).
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # typeshed does not know of None
