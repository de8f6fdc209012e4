"""Where an environment is kept. `{made}` makes it, `{name}` names the definition, and the rows of a main program that
stand behind it have it as `env`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A definition, and the rows of the main program that get the environment."""

    name: str
    definition: str
    rows: str


_FUNCTION = "def {name}():\n    return {made}\n"

PLACES = (
    Place("variable", "", "env = {made}"),
    Place("function", _FUNCTION, "env = {name}()"),
    Place("list", "def {name}():\n    return [{made} for _ in range(2)]\n", "envs = {name}()\nfor env in envs:"),
    Place("index", "def {name}():\n    return [{made}, {made}]\n", "envs = {name}()\nenv = envs[1]"),
    Place("dictionary", 'def {name}():\n    return {{"a": {made}, "b": {made}}}\n', 'env = {name}()["b"]'),
    Place("items", 'def {name}():\n    return {{"a": {made}}}\n', "for key, env in {name}().items():"),
    Place("attribute", "class {name}:\n    def __init__(self):\n        self.env = {made}\n", "env = {name}().env"),
    Place("attribute of the class", "class {name}:\n    env = {made}\n", "env = {name}.env"),
    Place(
        "property",
        "class {name}:\n    @property\n    def env(self):\n        return {made}\n",
        "env = {name}().env",
    ),
    Place(
        "dictionary in an attribute",
        "class {name}:\n    def __init__(self, names):\n        self.envs = {{name: {made} for name in names}}\n",
        'holder = {name}(["a", "b"])\nfor key in holder.envs:\n    env = holder.envs[key]',
    ),
    Place("function handed over", _FUNCTION, "makers = [{name}, {name}]\nfor make in makers:\n    env = make()"),
    Place("lambda", "{name} = lambda: {made}\n", "env = {name}()"),
    Place("table of functions", _FUNCTION, 'table = {{"walk": {name}}}\nenv = table["walk"]()'),
    Place("default argument", "def {name}(env={made}):\n    return env\n", "env = {name}()"),
    Place(
        "context manager",
        "@contextmanager\ndef {name}():\n    env = {made}\n    yield env\n",
        "with {name}() as env:",
    ),
    Place("generator", "def {name}():\n    for _ in range(2):\n        yield {made}\n", "for env in {name}():"),
    Place("queue", _FUNCTION, "queue = deque([{name}()])\nenv = queue.popleft()"),
    Place("global", "{name} = {made}\n", "env = {name}"),
    Place(
        "checked class",
        "def {name}():\n    env = {made}\n    assert hasattr(env, 'step')\n    return env\n",
        "env = {name}()",
    ),
    Place(
        "one of two",
        "def {name}(first):\n    if first:\n        return {made}\n    return {made}\n",
        "env = {name}(False)",
    ),
)
