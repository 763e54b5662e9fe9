"""Shapes of scene objects for contact questions: convex shapes, hulls, distances, cavities, and what is proven of them."""
