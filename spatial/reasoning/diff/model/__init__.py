"""Differences of boundary representations: solids and shells, by their analytic faces."""
