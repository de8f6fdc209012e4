"""Text as a terminal may see it."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""The text in one line that cannot move the cursor or change colors: `\n` and `\x1b` for what they stand for.

    The name of a file may contain any character but `/` and NUL.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
