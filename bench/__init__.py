"""Benchmarks, side by side in one run: `make bench`. README.md describes the method and the columns."""
