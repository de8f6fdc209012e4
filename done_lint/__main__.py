"""Where the command starts: `done-lint` and `python -m done_lint`."""

import gc
import os
import sys

from done_lint import __version__
from done_lint.core import interrupts


def main() -> None:
    """Run the command; its imports, which take time, can be interrupted.

    The collector of cycles is off: what is read of a tree has none, and walking it again and again took a tenth of
    the time.
    """
    interrupts.install()
    gc.disable()
    if sys.argv[1:] in (["--version"], ["-V"]) and _is_printed(f"done-lint, version {__version__}\n"):
        return
    from done_lint.engine import known_runs

    if (status := known_runs.repeated(sys.argv[1:])) is not None:
        end = SystemExit(status)
        _leave(end)
        raise end
    from done_lint import cli

    try:
        cli.main(prog_name="done-lint")
    except SystemExit as end:
        _leave(end)
        raise


def _leave(end: SystemExit) -> None:
    """End the process at once where everything was written: taking the model apart object by object helps nobody."""
    if isinstance(end.code, int) and sys.gettrace() is None and sys.getprofile() is None:
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        except (OSError, ValueError):
            return
        os._exit(end.code)


def _is_printed(text: str) -> bool:
    """Whether a text was printed; if not, the command says why."""
    try:
        return sys.stdout is not None and sys.stdout.write(text) > 0 and sys.stdout.flush() is None
    except (OSError, ValueError):
        return False


# A worker process imports this module too, and must not run the command again.
if __name__ == "__main__":
    main()
