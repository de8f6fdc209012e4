"""How hypothesis draws what is generated: as many each time, the same, and however long one takes."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

#: How many programs or projects are drawn.
COUNT = int(os.environ.get("DONE_LINT_GENERATED", "60"))


def examples(count: int = COUNT) -> settings:
    """Settings for a test of this many examples."""
    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
