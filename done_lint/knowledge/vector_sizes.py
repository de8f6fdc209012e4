"""How many environments are in a vector environment, by what makes it (data)."""

from __future__ import annotations

#: What makes one where it is not told how many. stable-baselines3 2.9.2 `env_util.make_vec_env(env_id, n_envs=1)`.
ONE_BY_DEFAULT: frozenset[str] = frozenset({"make_vec_env"})

#: Where the count stands that is not the second argument: procgen 0.10 `ProcgenEnv(num_envs, env_name)`.
COUNTED_AT: dict[str, int] = {"ProcgenEnv": 0}

#: What goes around a vector environment and keeps its size. stable-baselines3 2.9.2 `common.vec_env`.
WRAPPERS: frozenset[str] = frozenset(
    {
        *("VecCheckNan", "VecExtractDictObs", "VecFrameStack", "VecMonitor", "VecNormalize", "VecTransposeImage"),
        "VecVideoRecorder",
    }
)
#: The function of a wrapper's class that reads the wrapper from a file and puts it around its second argument. The
#: same, `VecNormalize.load`.
LOADING, LOADED_AROUND = ".load", 1
#: What makes one of a list of functions, which make the environments. The same; Gymnasium 1.4 `vector`.
OF_FUNCTIONS: frozenset[str] = frozenset({"AsyncVectorEnv", "DummyVecEnv", "SubprocVecEnv", "SyncVectorEnv"})
#: Arguments that hold a function for each environment, or the vector environment inside. Gymnasium 1.4 `SyncVectorEnv`,
#: stable-baselines3 2.9.2 `DummyVecEnv`, `VecEnvWrapper`.
INSIDE: frozenset[str] = frozenset({"env_fns", "venv"})

#: Methods of an algorithm that give what it trains on: a single environment is wrapped as the only one of a vector.
#: stable-baselines3 2.9.2 `BaseAlgorithm.get_env`, `_wrap_env`.
OF_ALGORITHMS: frozenset[str] = frozenset({"get_env"})
#: Where an algorithm is given its environment, or the id of one. The same, `BaseAlgorithm.__init__` and `load`.
GIVEN_AT, GIVEN_AS = 1, "env"
#: Attributes and methods of a vector environment that begin and end no episode. Gymnasium 1.4 vector.VectorEnv.
WITHOUT_EPISODES = frozenset(
    "action_space close metadata num_envs observation_space single_action_space single_observation_space spec".split()
)
