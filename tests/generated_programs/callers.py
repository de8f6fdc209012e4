"""What steps an environment: functions of `env` named `{name}`, whose result is printed."""

from __future__ import annotations

CALLERS = {
    "while loop": """def {name}(env):
    obs, rows = env.reset(), []
    done = False
    while not done and len(rows) < 6:
        obs, reward, done, info = env.step(len(rows) % 2)
        rows.append((obs.shape, reward, done))
    return rows
""",
    "for loop": """def {name}(env):
    obs = env.reset()
    total = 0.0
    for action in (0, 1, 1, 0):
        obs, reward, done, _ = env.step(action)
        total += reward
        if done:
            break
    return obs.shape, total, done
""",
    "index": """def {name}(env):
    env.reset()
    result = env.step(1)
    return result[0].shape, result[1], result[2], sorted(result[3])
""",
    "index at once": """def {name}(env):
    first = env.reset().shape
    return first, env.step(0)[1], env.step(1)[2]
""",
    "helper": """def move_{name}(env, action):
    return env.step(action)


def {name}(env):
    env.reset()
    obs, reward, done, info = move_{name}(env, 1)
    return obs.shape, reward, done
""",
    "helper for the reset": """def begin_{name}(env):
    return env.reset()


def {name}(env):
    obs = begin_{name}(env)
    return obs.shape, len(obs)
""",
    "record": """Row_{name} = namedtuple("Row_{name}", "obs reward done info")


def {name}(env):
    env.reset()
    row = Row_{name}(*env.step(0))
    return row.obs.shape, row.reward, row.done
""",
    "collected": """def {name}(env):
    env.reset()
    results = []
    for action in (0, 1):
        results.append(env.step(action))
    return [(obs.shape, reward, done) for obs, reward, done, info in results]
""",
    "collected in a loop": """def {name}(env):
    env.reset()
    results, rows = [env.step(action) for action in (0, 1)], []
    for obs, reward, done, info in results:
        rows.append((obs.shape, reward, done))
    return rows
""",
    "columns": """def {name}(env):
    env.reset()
    obs, rewards, dones, infos = zip(*[env.step(action) for action in (0, 1)])
    return len(obs), rewards, dones
""",
    "columns as lists": """def {name}(env):
    env.reset()
    obs, rewards, dones, infos = map(list, zip(*[env.step(action) for action in (0, 1)]))
    return len(obs), rewards, dones
""",
    "generator": """def steps_{name}(env):
    for action in (0, 1):
        yield env.step(action)


def {name}(env):
    env.reset()
    return [(reward, done) for _, reward, done, _ in steps_{name}(env)]
""",
    "inner function": """def {name}(env):
    env.reset()

    def turn(action):
        obs, reward, done, info = env.step(action)
        return reward, done

    return [turn(action) for action in (0, 1)]
""",
    "flag of an outer function": """def {name}(env):
    env.reset()
    done, turns = False, 0

    def running():
        return not done and turns < 6

    while running():
        obs, reward, done, info = env.step(0)
        turns += 1
    return turns, done
""",
    "agent": """class Agent_{name}:
    def __init__(self, env):
        self.env = env
        self.obs = env.reset()
        self.done = False

    def turn(self):
        self.obs, self.reward, self.done, self.info = self.env.step(1)


def {name}(env):
    agent = Agent_{name}(env)
    rows = []
    while not agent.done and len(rows) < 6:
        agent.turn()
        rows.append((agent.obs.shape, agent.reward))
    return rows
""",
    "error handler": """def {name}(env):
    env.reset()
    try:
        obs, reward, done, info = env.step(0)
    except ValueError:
        return "failed"
    return reward, done
""",
    "star in the target": """def {name}(env):
    env.reset()
    obs, *rest = env.step(0)
    reward, done, info = rest
    *_, done, _ = env.step(1)
    return obs.shape, reward, done
""",
    "comprehension": """def {name}(env):
    env.reset()
    return [env.step(action)[1] for action in (0, 1)], any(env.step(action)[2] for action in (0, 1))
""",
    "queue": """def {name}(env):
    env.reset()
    queue = deque()
    queue.append(env.step(0))
    obs, reward, done, info = queue.popleft()
    return obs.shape, reward, done
""",
    "bound method": """def {name}(env):
    step = env.step
    env.reset()
    obs, reward, done, info = step(1)
    return obs.shape, reward, done
""",
    "method by name": """def {name}(env):
    env.reset()
    obs, reward, done, info = getattr(env, "step")(1)
    return obs.shape, reward, done
""",
    "method by a name in a variable": """def call_{name}(target, method, *args):
    return getattr(target, method)(*args)


def {name}(env):
    shape = call_{name}(env, "reset").shape
    obs, reward, done, info = call_{name}(env, "step", 0)
    return shape, obs.shape, reward, done
""",
    "lambda": """def {name}(env):
    take = lambda action: env.step(action)
    env.reset()
    _, reward, done, _ = take(0)
    return reward, done
""",
    "partial": """def {name}(env):
    env.reset()
    obs, reward, done, info = partial(env.step, 1)()
    return obs.shape, reward, done
""",
    "perhaps": """def {name}(env):
    env.reset()
    result = None
    for action in (0, 1):
        if action:
            result = env.step(action)
    if result is not None:
        obs, reward, done, info = result
        return reward, done
    return None
""",
    "star in a call": """def note_{name}(obs, reward, done, info):
    return obs.shape, reward, done


def {name}(env):
    env.reset()
    return note_{name}(*env.step(1))
""",
    "map": """def {name}(env):
    env.reset()
    return sum(map(lambda action: env.step(action)[1], (0, 1)))
""",
    "map of results": """def {name}(env):
    env.reset()
    return [(reward, done) for obs, reward, done, info in map(env.step, (0, 1))]
""",
    "assignment in a condition": """def {name}(env):
    env.reset()
    turns = 0
    while not (result := env.step(0))[2] and turns < 6:
        turns += 1
    return turns, result[1]
""",
    "dictionary": """def {name}(env):
    row = {{"first": env.reset(), "result": env.step(0)}}
    obs, reward, done, info = row["result"]
    return row["first"].shape, obs.shape, reward, done
""",
    "dictionary of names": """def {name}(env):
    env.reset()
    row = dict(zip(("obs", "reward", "done", "info"), env.step(0)))
    return row["obs"].shape, row["reward"], row["done"], sorted(row)
""",
    "first observation indexed": """def {name}(env):
    obs = env.reset()
    first = float(obs[0])
    return first < 9
""",
    "first observation handed on": """def see_{name}(obs):
    return np.asarray(obs).ndim


def {name}(env):
    return see_{name}(env.reset())
""",
    "attribute of the result": """class Last_{name}:
    def __init__(self, env):
        self.env, self.result = env, None

    def play(self):
        self.env.reset()
        self.result = self.env.step(0)

    def over(self):
        return self.result[2]


def {name}(env):
    last = Last_{name}(env)
    last.play()
    return last.over(), last.result[1]
""",
    "recursion": """def {name}(env, depth=0):
    if depth == 0:
        env.reset()
    obs, reward, done, info = env.step(depth % 2)
    if done or depth == 4:
        return reward
    return reward + {name}(env, depth + 1)
""",
    "early return": """def {name}(env):
    env.reset()
    for turn in range(6):
        _, reward, done, info = env.step(0)
        if done:
            return turn, reward
    return -1, 0.0
""",
    "own four values": """def repeat_{name}(env, action):
    total = 0.0
    for turn in range(3):
        obs, reward, done, info = env.step(action)
        total += reward
        if done:
            break
    return obs, total, done, turn


def {name}(env):
    env.reset()
    obs, total, done, turn = repeat_{name}(env, 0)
    return obs.shape, total, done, turn
""",
    "decorated": """def logged_{name}(function):
    @wraps(function)
    def call(*args):
        result = function(*args)
        return result

    return call


@logged_{name}
def turn_{name}(env, action):
    return env.step(action)


def {name}(env):
    env.reset()
    obs, reward, done, info = turn_{name}(env, 0)
    return reward, done
""",
    "pool": """class Pool_{name}:
    def __init__(self, envs):
        self.envs = envs

    def reset(self):
        return [env.reset() for env in self.envs]

    def step(self, actions):
        results = [env.step(action) for env, action in zip(self.envs, actions)]
        return [result[0] for result in results], [result[1] for result in results], [result[2] for result in results]


def {name}(env):
    pool = Pool_{name}([env])
    first = pool.reset()
    obs, rewards, dones = pool.step([1])
    return first[0].shape, obs[0].shape, rewards, dones
""",
}
