"""One run: load the project, link it, lint and fix its files, and put the result into a report."""
