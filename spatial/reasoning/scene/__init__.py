"""Scenes: what the solvers reason about, built from documents and point clouds."""
