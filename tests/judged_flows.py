"""What the model says about a generated project, held against its parts."""

from __future__ import annotations

from generated_flows import Project
from model_programs import linked


def complaint(project: Project) -> str:
    """What is wrong with the model's answer; empty where it is right."""
    model = linked(project.files)
    found = {
        (path, at.row, sink.kind if sink.certainty == "proven" else f"{sink.kind} by name")
        for path in project.files
        for at, sink in model.facts(path).sinks.items()
    }
    markers = {
        (path, row): line.rpartition("# ")[2]
        for path, text in project.files.items()
        for row, line in enumerate(text.splitlines(), 1)
        if line.endswith(("# store", "# cut", "# store, cut"))
    }
    if project.verdict == "silent":
        return f"false alarm: {sorted(found)}" if found else ""
    asked = {"target": {"mask", "branch", "store"}, "recursion": {"recursion"}}[project.verdict]
    for path, row, kind in sorted(found):
        marker = markers.get((path, row), "")
        if kind not in asked or ("store" if kind == "store" else "cut") not in marker:
            return f"false alarm: {path}:{row} {kind}"
    kinds = {kind for *_, kind in found}
    if not kinds - {"store"} and not any(markers[place[:2]] == "store, cut" for place in found):
        return f"missed: nothing is cut ({sorted(found)})"
    stores = {place for place, marker in markers.items() if marker.startswith("store")}
    if project.verdict == "target" and stores and not any((path, row) in stores for path, row, kind in found if kind == "store"):
        return f"missed: the store ({sorted(found)})"
    return ""
