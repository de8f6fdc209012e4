"""Where the command starts: `done-lint` and `python -m done_lint`."""

import sys

from done_lint import __version__
from done_lint.core import interrupts


def main() -> None:
    """Run the command; its imports, which take time, can be interrupted."""
    interrupts.install()
    if sys.argv[1:] in (["--version"], ["-V"]) and _is_printed(f"done-lint, version {__version__}\n"):
        return
    from done_lint import cli

    cli.main(prog_name="done-lint")


def _is_printed(text: str) -> bool:
    """Whether a text was printed; if not, the command says why."""
    try:
        return sys.stdout is not None and sys.stdout.write(text) > 0 and sys.stdout.flush() is None
    except (OSError, ValueError):
        return False


# A worker process imports this module too, and must not run the command again.
if __name__ == "__main__":
    main()
