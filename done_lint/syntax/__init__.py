"""LibCST's plumbing, with no knowledge of reinforcement learning: tree, scopes, text edits."""
