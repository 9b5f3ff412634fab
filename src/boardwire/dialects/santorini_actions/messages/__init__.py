"""Wire values: `requests`, `replies`, and their largest parts, `battlefield` and `cards`."""
