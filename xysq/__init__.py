"""xysq: memory for AI work that can be trusted."""
