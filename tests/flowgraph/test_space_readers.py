"""Parameters of which a method reads no more than spaces."""

from __future__ import annotations

import ast

import pytest

from done_lint.flowgraph.space_readers import space_parameters


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return env.action_space.sample()", True),
        ("return env.observation_space.shape, [env.action_space.n for _ in range(2)]", True),
        ("return 0", True),
        ("return env.reset()", False),
        ("return env.unwrapped.action_space", False),
        ("return env.action_space, env", False),
        ("self.env = env", False),
        ("return lambda: env.step(0)", False),
        ("env.action_space = None", False),
        ("env = self.env", False),
    ],
)
def test_of_a_parameter_no_more_than_spaces_is_read(body: str, expected: bool) -> None:
    method = ast.parse(f"def act(self, env):\n    {body}").body[0]
    assert isinstance(method, ast.FunctionDef)
    assert ("env" in space_parameters(method)) is expected
