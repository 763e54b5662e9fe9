"""Connected components of graphs, as arrays. scipy's take a quarter of a second to import, more than most drawings take to be read."""

from __future__ import annotations

import numpy as np

from spatial.geometry.index import Indices


def connected_components(count: int, one: Indices, other: Indices) -> Indices:
    """(count,) the number of the component of each node, numbered from 0 in the order of their first nodes.

    one, other: (k,) nodes that edges join, in any order and as often as they like.
    Source: Shiloach and Vishkin, An O(log n) parallel connectivity algorithm (1982): each component joins its least neighbour.
    """
    label = np.arange(count)
    while True:
        low, high = np.minimum(label[one], label[other]), np.maximum(label[one], label[other])
        parted = low != high
        if not parted.any():
            return np.unique(label, return_inverse=True)[1].astype(np.int64)
        # What is of one component stays of one: its edges say nothing more.
        one, other = low[parted], high[parted]
        np.minimum.at(label, other, one)
        while not np.array_equal(least := label[label], label):
            label = least
