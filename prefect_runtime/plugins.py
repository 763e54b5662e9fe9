"""Packages beside Prefect that announce blocks and types of their own: the service uses none of them.

Prefect imports all that are installed, in the server and in each process that loads a block. `prefect_dask` is one, and brings dask and
distributed along: 14 MB and half a second. `ingest --runner dask` imports it by itself.
"""

from __future__ import annotations

from prefect._internal.plugins import collections


def load_none() -> None:
    """Take them as loaded, in this process and in those that it forks."""
    collections._collections = {}
