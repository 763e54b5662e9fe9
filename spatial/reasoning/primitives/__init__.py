"""Primitives in points: cloud (order, normals, noise), surfaces (distances), candidates (minimal samples), refine (least squares),
extract (one after the other), bodies (closed primitives), hull (convex bodies), exact (analytic faces), meshes.

Glossary
  spacing    median distance from a point to its nearest neighbour.
  noise      standard deviation of the points across the surface.
  tolerance  largest distance from a surface at which a point counts as an inlier.
  body       a closed primitive: box, cylinder, sphere, cone.
"""
