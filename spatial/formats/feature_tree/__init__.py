"""Feature trees of CAD partners: their features, built as solids by the kernel."""
