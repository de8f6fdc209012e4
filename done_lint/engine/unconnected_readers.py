"""Files that no import connects with a vector environment, and that take `final_info` for a list.

They may be given its infos all the same: a notebook calls them, or a plugin. With `SAME_STEP` it is a dictionary.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from done_lint.core.findings import Finding
from done_lint.core.paths import shown
from done_lint.engine.load import Program
from done_lint.knowledge.vector_info_keys import FINAL_INFO, MODE_ARGUMENT

_CODE = ".py"
_READS = "{} takes `final_info` of what it is given for a list, and no import shows whose infos these are"


class UnconnectedReaders:
    """Finds them in a project, once a fix asks for the mode."""

    def __init__(self, program: Program) -> None:
        """Look at nothing yet."""
        self._program = program

    def with_readers(self, finding: Finding) -> Finding:
        """The finding, with no safe fix that asks for a mode which such a file may not stand."""
        fix = finding.fix
        if fix is None or fix.safety != "safe" or not any(MODE_ARGUMENT in edit.text for edit in fix.edits):
            return finding
        place = next((place for place, around in self._places if finding.path not in around), None)
        if place is None:
            return finding
        return replace(finding, fix=replace(fix, safety="unsafe"), unfixed=_READS.format(place))

    @cached_property
    def _places(self) -> list[tuple[str, frozenset[str]]]:
        """The first such place of each file, and all files that imports connect with it: their values are followed."""
        found: list[tuple[str, frozenset[str]]] = []
        for path in self._program.project.files():
            data = self._program.read(path) if path.endswith(_CODE) else None
            if data is not None and FINAL_INFO.encode() in data and (row := self._row(path)):
                found.append((f"{shown(path)}:{row}", self._program.connected(path)))
        return found

    def _row(self, path: str) -> int:
        """The first row that reads it of a parameter, or 0."""
        from done_lint.facts.environments.listed_final_infos import of_parameters

        survey = self._program.surveys.get(path) or self._program.survey_apart(path)
        reads = of_parameters(survey) if survey is not None else ()
        places = (survey.places.get(read) for _, read in reads) if survey is not None else ()
        return min((one.row for one in places if one is not None), default=0)
