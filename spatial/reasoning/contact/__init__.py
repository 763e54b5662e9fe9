"""What fit, stability and placement share: members of the goal, supports, resting poses, places on a support."""
