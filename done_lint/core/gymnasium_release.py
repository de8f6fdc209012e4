"""The releases of Gymnasium that code can be migrated to."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Supported:
    """The releases that some code has to run with, and which settings or files say so (empty: none do).

    A finding holds on the newest one; a fix has to be right on all of them.
    """

    lowest: Release = NEWEST
    newest: Release = NEWEST
    lowest_source: str = ""
    newest_source: str = ""
    #: The lowest and the newest release that the project's own files allow, where they bound them.
    own: tuple[Release, Release] | None = None
    #: The newest release of PettingZoo that these files allow, where they bound it.
    pettingzoo: Release | None = None

    @property
    def described(self) -> str:
        """`Gymnasium 0.28 (setup.py:9) to 1.2 (uv.lock:80)`, as a user reads it."""
        ends = [(self.lowest, self.lowest_source), (self.newest, self.newest_source)]
        ends = ends[1:] if self.lowest == self.newest else ends
        return "Gymnasium " + " to ".join(f"{shown(end)} ({source or 'the newest'})" for end, source in ends)


def shown(version: Release) -> str:
    """`0.29` for a release."""
    return ".".join(map(str, version))
