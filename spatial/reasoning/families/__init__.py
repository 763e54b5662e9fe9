"""Families of parts, drawings and diagrams: named criteria on measured features, and probabilities from their scores."""
