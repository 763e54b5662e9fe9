"""Differences of diagrams: nodes and edges, matched by ids, labels and neighbourhood."""
