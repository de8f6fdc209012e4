"""What is made: classes of the program, and environments by their id."""

from __future__ import annotations

from dataclasses import dataclass

_HEAD = """
    observation_space = gym.spaces.Box(-99, 99, (1,), dtype=np.float32)
    action_space = gym.spaces.Discrete(2)
"""
_RESET = """
    def reset(self):
        self.place = 0
        return self.look()
"""
_LOOK = """
    def look(self):
        return np.array([self.place], dtype=np.float32)
"""
_STEP = """
    def step(self, action):
        self.place += 1 + action
        return self.look(), float(action), self.place > 4, {"place": self.place}
"""


@dataclass(frozen=True)
class World:
    """Definitions, and the expression that makes one."""

    name: str
    made: str
    definitions: tuple[str, ...] = ()


def _own(name: str, *, reset: str = _RESET, step: str = _STEP, more: str = "") -> World:
    return World(name, "Walk()", (f"class Walk(gym.Env):{_HEAD}{more}{reset}{step}{_LOOK}",))


def _heir(name: str, base: str, heir: str) -> World:
    return World(name, "Walk()", (f"class Base(gym.Env):{_HEAD}{base}{_LOOK}", heir))


WORLDS = (
    _own("plain class"),
    World("id of the library", 'gym.make("CartPole-v1")'),
    _own(
        "two returns",
        step="""
    def step(self, action):
        if self.place > 3:
            return self.look(), -1.0, True, {}
        self.place += 1 + action
        return self.look(), float(action), False, {"place": self.place}
""",
    ),
    _own(
        "own flag variable",
        step="""
    def step(self, action):
        done = False
        self.place += 1 + action
        if self.place > 4:
            done = True
        reward, info = float(action), {}
        return self.look(), reward, done, info
""",
    ),
    _own(
        "result in a variable",
        step="""
    def step(self, action):
        self.place += 1 + action
        result = self.look(), float(action), self.place > 4, {}
        return result
""",
    ),
    _own(
        "result of an own method",
        step="""
    def step(self, action):
        self.place += 1 + action
        return self.end(1.0) if self.place > 4 else self.go_on(0.5)

    def end(self, reward):
        return self.look(), reward, True, {}

    def go_on(self, reward):
        return self.look(), reward, False, {}
""",
    ),
    _own(
        "result that is not followed",
        step="""
    def step(self, action):
        self.place += 1 + action
        return tuple([self.look(), float(action)] + [self.place > 4, {}])
""",
    ),
    _own(
        "reset through a variable",
        reset="""
    def reset(self):
        self.place = 0
        obs = self.look()
        return obs
""",
    ),
    _own(
        "reset when it is made",
        more="""
    def __init__(self):
        self.first = self.reset()
""",
    ),
    _own(
        "own probe",
        more="""
    def probe(self):
        return self.step(0)[1]
""",
    ),
    _own(
        "underscores",
        reset=_RESET.replace("def reset", "def _reset"),
        step=_STEP.replace("def step", "def _step"),
    ),
    _heir("base that does all", _RESET + _STEP, "class Walk(Base):\n    pass\n"),
    _heir(
        "base that is abstract",
        """
    def reset(self):
        raise NotImplementedError

    def step(self, action):
        raise NotImplementedError
""",
        f"class Walk(Base):{_RESET}{_STEP}",
    ),
    _heir(
        "step of the base, unpacked",
        _RESET + _STEP,
        """class Walk(Base):
    def step(self, action):
        obs, reward, done, info = super().step(action)
        if reward > 0.5:
            reward = 2.0
        return obs, reward, done, info
""",
    ),
    _heir(
        "step of the base, with a flag set again",
        _RESET + _STEP,
        """class Walk(Base):
    def step(self, action):
        obs, reward, done, info = super().step(action)
        if self.place == 3:
            done, reward = True, -1.0
        return obs, reward, done, info
""",
    ),
    _heir(
        "step of the base, unbound",
        _RESET + _STEP,
        """class Walk(Base):
    def step(self, action):
        obs, reward, done, info = Base.step(self, action)
        return obs, reward + 1, done, info
""",
    ),
    _heir(
        "reset of the base",
        _RESET + _STEP,
        """class Walk(Base):
    def reset(self):
        obs = super().reset()
        self.place = 1
        return obs + 1
""",
    ),
    _heir(
        "parts of the base",
        _RESET
        + """
    def step(self, action):
        self.place += 1 + action
        return self.look(), self.reward(action), self.is_over(), {}

    def is_over(self):
        raise NotImplementedError
""",
        """class Walk(Base):
    def reward(self, action):
        return 1.0

    def is_over(self):
        return self.place > 4
""",
    ),
    World(
        "simulator inside",
        "Walk(Machine())",
        (
            """class Machine:
    def reset(self):
        self.place = 0
        return self.place

    def step(self, push):
        self.place += 1 + push
        return self.place, self.place > 4
""",
            f"""class Walk(gym.Env):{_HEAD}
    def __init__(self, machine):
        self.machine = machine

    def reset(self):
        self.place = self.machine.reset()
        return self.look()

    def step(self, action):
        self.place, done = self.machine.step(action)
        return self.look(), 1.0, done, {{}}
{_LOOK}""",
        ),
    ),
    World(
        "simulator with four values inside",
        "Walk(Machine())",
        (
            """class Machine:
    def reset(self):
        self.place = 0
        return np.array([self.place], dtype=np.float32)

    def step(self, push):
        self.place += 1 + push
        return np.array([self.place], dtype=np.float32), 1.0, self.place > 4, {}
""",
            f"""class Walk(gym.Env):{_HEAD}
    def __init__(self, machine):
        self.machine = machine

    def reset(self):
        return self.machine.reset()

    def step(self, action):
        obs, reward, done, info = self.machine.step(action)
        return obs, reward, done, info
""",
        ),
    ),
    World(
        "registered class",
        'gym.make("Walk-v0")',
        (
            f"class Walk(gym.Env):{_HEAD}{_RESET}{_STEP}{_LOOK}",
            'gym.envs.registration.register(id="Walk-v0", entry_point=Walk, max_episode_steps=20)\n',
        ),
    ),
)
