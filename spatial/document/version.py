"""Which extractor made a document: one number, raised when the same file would come out differently."""

from __future__ import annotations

from typing import Final

EXTRACTOR_VERSION: Final = 27
"""Raise it in the change that makes any file's `cad.extraction.v1` differ (CONTRIBUTING.md, "Extractor version").

Bulk ingest does not read again what the current version has read; what an older version has read, `spatial reprocess` finds by this.
"""
