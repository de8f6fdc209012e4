"""Where the command starts: `done-lint` and `python -m done_lint`."""

from done_lint.core import interrupts


def main() -> None:
    """Run the command; its imports, which take time, can be interrupted."""
    interrupts.install()
    from done_lint import cli

    cli.main(prog_name="done-lint")


# A worker process imports this module too, and must not run the command again.
if __name__ == "__main__":
    main()
