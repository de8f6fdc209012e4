"""Where the rows of vector environments are kept, and which of them are left out again."""
