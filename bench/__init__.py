"""Benchmarks: speed as ratios measured in one run, by `python -m bench`."""
