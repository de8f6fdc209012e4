"""Values that are a step's result or a reset's, or an observation: one pipe carries them all, as its messages.

What takes four values out of such a message takes a step's. What slices it may slice an observation.
"""

from __future__ import annotations

from done_lint.analysis.solver import Solver
from done_lint.analysis.values import Observation, OwnStepResult, ResetResult, StepResult


def is_of_either(solver: Solver, node: int) -> bool:
    """Whether what a step returned arrives at a node as a whole, and what is no step's result does, too."""
    held = {type(solver.value(number)) for number in solver.held[node]}
    return not held.isdisjoint((StepResult, OwnStepResult)) and not held.isdisjoint((ResetResult, Observation))
