"""Connected components of graphs, as arrays. scipy's take a quarter of a second to import, more than most drawings take to be read."""

from __future__ import annotations

import numpy as np

from spatial.geometry.index import Indices


def connected_components(count: int, one: Indices, other: Indices) -> Indices:
    """(count,) the number of the component of each node, numbered from 0 in the order of their first nodes.

    one, other: (k,) nodes that edges join, in any order and as often as they like.
    Source: Shiloach and Vishkin, An O(log n) parallel connectivity algorithm (1982): each node takes the least label of its neighbours.
    """
    label = np.arange(count)
    while True:
        least = label.copy()
        for near, far in ((one, other), (other, one)):
            np.minimum.at(least, near, label[far])
            np.minimum.at(least, label[near], label[far])
        least = least[least]
        if (least == label).all():
            return np.unique(label, return_inverse=True)[1].astype(np.int64)
        label = least
