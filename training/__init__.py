"""Programs that tune the bots' evaluations and mine their puzzles and books; not part of the package."""
