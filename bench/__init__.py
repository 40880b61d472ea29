"""Benchmarks, run by `python -m bench`: speeds, mostly as ratios of two times measured in one run."""
