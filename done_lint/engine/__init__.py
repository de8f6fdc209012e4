"""One run: load the project, analyze it, lint and fix files, say what was found."""
