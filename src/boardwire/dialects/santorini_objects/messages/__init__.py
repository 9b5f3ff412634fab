"""The wire's values: its Java classes, cells and gods by their names, sets of cells as bytes, and the fixed texts."""
