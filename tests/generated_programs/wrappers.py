"""What stands around an environment; `{name}` is the name of the class."""

from __future__ import annotations

_WRAPPER = "class {name}(gym.Wrapper):\n"

WRAPPERS = {
    "step unpacked": _WRAPPER
    + """    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, reward * 2, done, info
""",
    "step passed on": _WRAPPER
    + """    count = 0

    def step(self, action):
        self.count += 1
        return self.env.step(action)
""",
    "observations": """class {name}(gym.ObservationWrapper):
    def observation(self, observation):
        return observation + 1
""",
    "rewards": """class {name}(gym.RewardWrapper):
    def reward(self, reward):
        return reward + 1
""",
    "actions": """class {name}(gym.ActionWrapper):
    def action(self, action):
        return 1 - action
""",
    "skipped steps": _WRAPPER
    + """    def step(self, action):
        total, done, info = 0.0, False, {{}}
        for _ in range(2):
            obs, reward, done, info = self.env.step(action)
            total += reward
            if done:
                break
        return obs, total, done, info
""",
    "flag or another": _WRAPPER
    + """    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        done = done or reward < 0
        return obs, reward, done, info
""",
    "flag set in a branch": _WRAPPER
    + """    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        if reward > 3:
            done = True
        return obs, reward, done, info
""",
    "flag and reward set in a branch": _WRAPPER
    + """    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        if reward > 0.7:
            reward, done = 9.0, True
        return obs, reward, done, info
""",
    "reset unpacked": _WRAPPER
    + """    def reset(self, **kwargs):
        obs = self.env.reset(**kwargs)
        self.count = 0
        return obs * 2
""",
    "reset passed on": _WRAPPER
    + """    def reset(self, **kwargs):
        self.count = 0
        return self.env.reset(**kwargs)
""",
    "reset without arguments": _WRAPPER
    + """    def reset(self):
        self.count = 0
        obs = self.env.reset()
        return obs
""",
    "reset and first steps": _WRAPPER
    + """    def reset(self, **kwargs):
        obs = self.env.reset(**kwargs)
        obs, _, done, _ = self.env.step(0)
        if done:
            obs = self.env.reset(**kwargs)
        return obs
""",
    "methods of the base": _WRAPPER
    + """    def reset(self, **kwargs):
        obs = super().reset(**kwargs)
        return obs * 1

    def step(self, action):
        obs, reward, done, info = super().step(action)
        return obs, reward, done, info
""",
    "result in a variable": _WRAPPER
    + """    def step(self, action):
        result = self.env.step(action)
        self.last = result[1]
        return result
""",
    "result as a list": _WRAPPER
    + """    def step(self, action):
        result = list(self.env.step(action))
        result[1] = result[1] * 2
        return tuple(result)
""",
    "result with a star": _WRAPPER
    + """    def step(self, action):
        obs, *rest = self.env.step(action)
        return (obs * 2, *rest)
""",
    "result in a branch": _WRAPPER
    + """    turn = 0

    def step(self, action):
        self.turn += 1
        if self.turn % 3:
            self.obs, reward, done, info = self.env.step(action)
        else:
            reward, done, info = 0.0, False, {{}}
        return self.obs, reward, done, info
""",
    "result after an error": _WRAPPER
    + """    def step(self, action):
        try:
            obs, reward, done, info = self.env.step(action)
        except KeyError:
            obs, reward, done, info = None, 0.0, True, {{}}
        return obs, reward, done, info
""",
    "result in attributes": _WRAPPER
    + """    def step(self, action):
        self.obs, self.reward, self.done, self.info = self.env.step(action)
        return self.obs, self.reward, self.done, self.info
""",
    "heir of an own wrapper": """class Outer{name}(gym.Wrapper):
    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, self.shape(reward), done, info


class {name}(Outer{name}):
    def shape(self, reward):
        return reward + 5
""",
}

#: Classes that are no environments: only the last one may be.
PROXIES = {
    "proxy": """class {name}:
    def __init__(self, env):
        self.env = env

    def reset(self):
        return self.env.reset()

    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, reward - 1, done, info
""",
    "proxy for all": """class {name}:
    def __init__(self, env):
        self.inner = env

    def __getattr__(self, name):
        return getattr(self.inner, name)
""",
}
