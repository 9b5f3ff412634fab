"""What makes the bots' judgement: programs for those who work on them, not part of the package."""
