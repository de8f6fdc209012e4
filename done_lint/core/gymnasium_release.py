"""The releases of Gymnasium that code can be migrated to."""

from __future__ import annotations

#: Major and minor number of a release of Gymnasium: `(0, 29)`.
Release = tuple[int, int]

#: Every release of Gymnasium, newest first (package index, 2026-11).
RELEASES = (
    *("1.4.0", "1.3.0", "1.2.3", "1.2.2", "1.2.1", "1.2.0", "1.1.1", "1.1.0", "1.0.0"),
    *("0.29.1", "0.29.0", "0.28.1", "0.28.0", "0.27.1", "0.27.0", "0.26.3", "0.26.2", "0.26.1"),
)


def release(version: str) -> Release:
    """`(1, 0)` for "1.0.0", and for "1"."""
    major, _, rest = version.partition(".")
    return int(major), int(rest.partition(".")[0] or 0)


def is_release(version: str) -> bool:
    """Whether Gymnasium has this release; "1" and "1.0" stand for the releases that begin with it."""
    # "0" would stand for 0.0, and there is no such release.
    return any(f"{known}.".startswith(f"{version}.") for known in RELEASES if release(known) == release(version))


NEWEST = release(RELEASES[0])

#: Major and minor numbers of all releases, newest first, as a user writes them.
MINORS = tuple(dict.fromkeys(version.rpartition(".")[0] for version in RELEASES))
