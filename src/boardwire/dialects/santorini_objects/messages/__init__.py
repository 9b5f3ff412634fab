"""Wire values: Java classes, cells and gods, encoded sets of cells, and fixed texts."""
