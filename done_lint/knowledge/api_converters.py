"""Functions and classes of the libraries that turn one form of environment or step into the other (data)."""

from __future__ import annotations

#: Functions that give four values of five, where they are asked to, and what is passed to ask. Gymnasium 1.0,
#: `utils/step_api_compatibility.py`.
MAKE_FOUR: dict[str, str] = {
    "gymnasium.utils.step_api_compatibility.convert_to_done_step_api": "",
    "gymnasium.utils.step_api_compatibility.step_api_compatibility": "output_truncation_bool",
}
#: Functions that make five values of the four of a step, or leave five.
#: Gymnasium 1.0, `utils/step_api_compatibility.py`.
MAKE_FIVE: frozenset[str] = frozenset(
    f"{root}.utils.step_api_compatibility.convert_to_terminated_truncated_step_api" for root in ("gym", "gymnasium")
)

#: Calls that take an environment for old Gym, and the name of that argument; `make` does so with an id of theirs.
#: Shimmy 2.0.1, Gymnasium 0.29.
TAKE_OLD_GYM: dict[str, str] = {
    **{
        f"shimmy.{module}GymV{release}CompatibilityV0": "env"
        for module in ("", "openai_gym_compatibility.")
        for release in (21, 26)
    },
    **{f"{root}.wrappers.EnvCompatibility": "old_env" for root in ("gym", "gymnasium")},
}
