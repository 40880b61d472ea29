"""ratingcore: an append-only log of results, replayed into rating lists that prove what they were made from."""
