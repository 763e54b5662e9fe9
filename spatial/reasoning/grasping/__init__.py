"""Grasps of objects with a parallel gripper: where it holds, from where it comes, and what is in its way."""
