"""Differences of two scenes: match what both have, and describe what changed in every pair.

    previous, current -> align -> match -> Section (added, removed, moved, renamed, changed, …) -> cad_scene_diff

Glossary
  pair        a thing of the previous scene and the thing of the current scene that it became.
  alignment   the rigid transform that takes the previous scene to the current one before positions are compared.
  redrawn     the same thing under another id.
  rewired     an edge of a diagram that is attached to another node.
"""
