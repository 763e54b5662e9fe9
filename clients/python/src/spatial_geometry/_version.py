"""The version of the client, of which the metadata are made."""

__version__ = "0.1.0"
