"""Packing of boxes: into containers, into the least height, onto shelves; bounds of the optimum, and an independent check."""
