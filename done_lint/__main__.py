"""`python -m done_lint`."""

from done_lint.cli import main

# A worker process imports this module too, and must not start over.
if __name__ == "__main__":
    main(prog_name="done-lint")
