"""Scenes from depth maps: decode (bytes to depths), project (depths to points), views (points to objects of the scene)."""
