"""The network of results: which players they make comparable, and which results alone hold a pool together."""
