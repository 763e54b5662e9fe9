"""The link of a drawing and its solid: which feature each callout means, and where the two contradict each other."""
