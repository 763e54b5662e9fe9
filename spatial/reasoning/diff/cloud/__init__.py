"""Differences of point clouds: rigid registration, and signed distances to the local surface."""
