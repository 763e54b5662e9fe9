"""Differences of drawings: callouts, dimensions, title block, tables, notes, texts and entities."""
