"""The table of environment APIs agrees with the libraries."""

from __future__ import annotations

import pytest

from done_lint.knowledge import env_api_rows, env_apis, env_id_apis, packages
from done_lint.knowledge.env_api_lookup import base, constructor, method, unlimited, wraps
from done_lint.knowledge.env_apis import Api


@pytest.mark.parametrize(
    ("dotted", "api"),
    [
        ("gym.make", env_apis.GYM),
        ("gym.envs.make", env_apis.GYM),
        ("gymnasium.make", env_apis.GYMNASIUM),
        ("gymnasium.envs.registration.make", env_apis.GYMNASIUM),
        ("gym.vector.make", env_apis.GYM_VECTOR),
        ("gymnasium.vector.make", env_apis.GYMNASIUM_VECTOR),
        ("gymnasium.make_vec", env_apis.GYMNASIUM_VECTOR),
        ("gym.vector.SyncVectorEnv", env_apis.GYM_VECTOR),
        ("gymnasium.vector.async_vector_env.AsyncVectorEnv", env_apis.GYMNASIUM_VECTOR),
        ("gymnasium.experimental.vector.SyncVectorEnv", env_apis.GYMNASIUM_VECTOR),
        ("gym.envs.classic_control.CartPoleEnv", env_apis.GYM),
        ("gym.envs.box2d.LunarLander", env_apis.GYM),
        ("gym.envs.box2d.car_racing.CarRacing", env_apis.GYM),
        ("gymnasium.envs.box2d.bipedal_walker.BipedalWalker", env_apis.GYMNASIUM),
        ("stable_baselines3.common.vec_env.DummyVecEnv", env_apis.SB3_VEC_ENV),
        ("stable_baselines3.common.vec_env.subproc_vec_env.SubprocVecEnv", env_apis.SB3_VEC_ENV),
        ("stable_baselines3.common.env_util.make_vec_env", env_apis.SB3_VEC_ENV),
        ("stable_baselines3.common.vec_env.VecNormalize.load", env_apis.SB3_VEC_ENV),
        ("stable_baselines3.common.envs.BitFlippingEnv", env_apis.GYMNASIUM),
        ("stable_baselines.common.vec_env.VecFrameStack", env_apis.SB3_VEC_ENV),
        ("baselines.common.vec_env.subproc_vec_env.SubprocVecEnv", env_apis.BASELINES_VEC_ENV),
        ("a2c_ppo_acktr.envs.make_vec_envs", env_apis.BASELINES_VEC_ENV),
        ("multiprocessing_env.SubprocVecEnv", env_apis.BASELINES_VEC_ENV),
        ("supersuit.gym_vec_env_v0", env_apis.GYMNASIUM_VECTOR),
        ("supersuit.concat_vec_envs_v1", env_apis.BY_ARGUMENT),
        ("pettingzoo.butterfly.pistonball_v6.env", env_apis.PETTINGZOO_AEC),
        ("pettingzoo.butterfly.pistonball_v6.parallel_env", env_apis.PETTINGZOO_PARALLEL),
        ("dm_control.suite.load", env_apis.DM_ENV),
        ("tf_agents.environments.suite_gym.load", env_apis.TF_AGENTS),
        ("tf_agents.environments.tf_py_environment.TFPyEnvironment", env_apis.TF_AGENTS),
        ("envpool.make", env_apis.BY_ARGUMENT),
        ("envpool.make_gymnasium", env_apis.ENVPOOL),
        ("isaacgymenvs.make", env_apis.ISAAC_GYM),
        ("legged_gym.utils.task_registry.make_env", env_apis.LEGGED_GYM),
        ("isaaclab.envs.DirectRLEnv", env_apis.ISAAC_LAB),
        ("isaaclab_rl.rsl_rl.RslRlVecEnvWrapper", env_apis.ISAAC_WRAPPER),
        ("brax.envs.create", env_apis.BRAX),
        ("brax.envs.create_gym_env", env_apis.BRAX_GYM),
        ("gymnax.make", env_apis.GYMNAX),
        ("jaxmarl.make", env_apis.JAXMARL),
        ("jumanji.make", env_apis.JUMANJI),
        ("mlagents_envs.environment.UnityEnvironment", env_apis.UNITY),
        ("mlagents_envs.envs.unity_gym_env.UnityToGymWrapper", env_apis.UNITY_GYM),
        ("minerl.make", env_apis.MINERL),
        ("gym_super_mario_bros.make", env_apis.NES_PY),
        ("retro.make", env_apis.GYM_RETRO),
        ("stable_retro.make", env_apis.GYMNASIUM),
        ("pybullet_envs.bullet.racecarGymEnv.RacecarGymEnv", env_apis.PYBULLET),
        ("torchrl.envs.GymEnv", env_apis.TORCHRL),
        ("torchrl.envs.libs.gym.GymWrapper", env_apis.TORCHRL),
        ("tianshou.env.DummyVectorEnv", env_apis.TIANSHOU),
        ("smac.env.StarCraft2Env", env_apis.SMAC),
        ("multiagent.environment.MultiAgentEnv", env_apis.MPE),
        ("vmas.make_env", env_apis.VMAS),
        ("jericho.FrotzEnv", env_apis.TEXT_GAME),
        ("textworld.start", env_apis.TEXT_STATES),
        ("textworld.gym.make", env_apis.TEXT_GAME),
        ("robosuite.make", env_apis.ROBOSUITE),
        ("procgen.ProcgenEnv", env_apis.PROCGEN_VECTOR),
        ("procgen.ProcgenGym3Env", env_apis.GYM3),
        ("shimmy.GymV21CompatibilityV0", env_apis.SHIMMY),
        ("safety_gymnasium.make", env_apis.SAFETY),
        ("safety_gymnasium.wrappers.with_gymnasium_wrappers", env_apis.SAFETY),
        ("safety_gymnasium.vector.make", env_apis.SAFETY_VECTOR),
        ("safety_gymnasium.vector.SafetyAsyncVectorEnv", env_apis.SAFETY_VECTOR),
        ("safety_gymnasium.wrappers.SafetyGymnasium2Gymnasium", env_apis.GYMNASIUM),
    ],
)
def test_a_constructor_has_its_librarys_api(dotted: str, api: Api) -> None:
    assert constructor(dotted) is api


@pytest.mark.parametrize(
    "dotted",
    ["gym", "gym.spaces.Box", "gymnasium.spaces.Discrete", "torch.optim.Adam", "gymnastics.make", "json.load", "make"],
)
def test_what_is_no_environment_has_no_api(dotted: str) -> None:
    assert constructor(dotted) is None
    assert base(dotted) is None
    assert not wraps(dotted)


@pytest.mark.parametrize(
    ("dotted", "api"),
    [
        ("gym.Env", env_apis.GYM),
        ("gym.core.Wrapper", env_apis.GYM),
        ("gymnasium.Env", env_apis.GYMNASIUM),
        ("gymnasium.ObservationWrapper", env_apis.GYMNASIUM),
        ("gymnasium.wrappers.TimeLimit", env_apis.GYMNASIUM),
        ("gymnasium.wrappers.vector.RecordEpisodeStatistics", env_apis.GYMNASIUM_VECTOR),
        ("gymnasium.vector.VectorWrapper", env_apis.GYMNASIUM_VECTOR),
        ("gym.vector.VectorEnvWrapper", env_apis.GYM_VECTOR),
        ("gym.envs.mujoco.MujocoEnv", env_apis.GYM),
        ("stable_baselines3.common.vec_env.base_vec_env.VecEnv", env_apis.SB3_VEC_ENV),
        ("stable_baselines3.common.vec_env.VecEnvWrapper", env_apis.SB3_VEC_ENV),
        ("baselines.common.vec_env.VecEnv", env_apis.BASELINES_VEC_ENV),
        ("pettingzoo.AECEnv", env_apis.PETTINGZOO_AEC),
        ("pettingzoo.utils.env.ParallelEnv", env_apis.PETTINGZOO_PARALLEL),
        ("dm_env.Environment", env_apis.DM_ENV),
        ("tf_agents.environments.py_environment.PyEnvironment", env_apis.TF_AGENTS),
        ("ray.rllib.env.multi_agent_env.MultiAgentEnv", env_apis.RLLIB_MULTI_AGENT),
        ("isaacgymenvs.tasks.base.vec_task.VecTask", env_apis.ISAAC_GYM),
        ("legged_gym.envs.base.base_task.BaseTask", env_apis.LEGGED_GYM),
        ("rsl_rl.env.VecEnv", env_apis.RSL_RL),
        ("isaaclab.envs.ManagerBasedRLEnv", env_apis.ISAAC_LAB),
    ],
)
def test_a_base_class_has_its_librarys_api(dotted: str, api: Api) -> None:
    assert base(dotted) is api


@pytest.mark.parametrize(
    "dotted",
    [
        "gym.wrappers.TimeLimit",
        "gymnasium.wrappers.RecordEpisodeStatistics",
        "gymnasium.wrappers.vector.NormalizeReward",
        "stable_baselines3.common.monitor.Monitor",
        "stable_baselines3.common.atari_wrappers.AtariWrapper",
        "minigrid.wrappers.ImgObsWrapper",
        "nes_py.wrappers.JoypadSpace",
        "supersuit.frame_stack_v1",
        "safety_gymnasium.wrappers.SafeAutoResetWrapper",
    ],
)
def test_a_wrapper_answers_in_the_api_of_what_it_wraps(dotted: str) -> None:
    assert wraps(dotted)
    assert constructor(dotted) is None


def test_a_wrapper_that_changes_the_api_does_not_keep_it() -> None:
    assert not wraps("supersuit.gym_vec_env_v0")
    assert not wraps("gym.wrappers.StepAPICompatibility")
    assert constructor("gym.wrappers.EnvCompatibility") is env_apis.GYM


@pytest.mark.parametrize(
    ("env_id", "api"),
    [
        ("procgen:procgen-coinrun-v0", env_apis.PROCGEN),
        ("procgen-starpilot-v0", env_apis.PROCGEN),
        ("AntBulletEnv-v0", env_apis.PYBULLET),
        ("pybullet_envs:KukaBulletEnv-v0", env_apis.PYBULLET),
        ("CartPoleContinuousBulletEnv-v0", env_apis.PYBULLET),
        ("HumanoidPyBulletEnv-v0", env_apis.PYBULLET),
        ("GymV21Environment-v0", env_apis.SHIMMY),
        ("Isaac-Ant-v0", env_apis.ISAAC_LAB),
        ("SuperMarioBros-1-1-v0", env_apis.NES_PY),
        ("MineRLTreechop-v0", env_apis.MINERL),
    ],
)
def test_an_id_can_decide_the_api_against_make(env_id: str, api: Api) -> None:
    assert env_id_apis.by_id(env_id) is api


@pytest.mark.parametrize("env_id", ["CartPole-v1", "ALE/Breakout-v5", "BulletTrain", "Pendulum-v1", "highway-v0", ""])
def test_an_ordinary_id_leaves_the_api_to_make(env_id: str) -> None:
    assert env_id_apis.by_id(env_id) is None


def test_get_env_means_a_vec_env_only_where_stable_baselines_is_imported() -> None:
    assert method("get_env", ["numpy", "stable_baselines3"]) is env_apis.SB3_VEC_ENV
    assert method("training_env", ["stable_baselines3"]) is env_apis.SB3_VEC_ENV
    assert method("get_env", ["gymnasium"]) is None
    assert method("make", ["stable_baselines3"]) is None


def test_an_environment_made_by_its_class_has_no_time_limit() -> None:
    assert unlimited("gymnasium.envs.toy_text.FrozenLakeEnv")
    assert not unlimited("gymnasium.make")
    assert not unlimited("gymnasium.vector.SyncVectorEnv")


def test_only_apis_with_both_flags_in_place_have_five_values() -> None:
    assert env_apis.GYM.five
    assert env_apis.TIANSHOU.five
    for api in (env_apis.GYMNAX, env_apis.LEGGED_GYM, env_apis.JAXMARL, env_apis.PETTINGZOO_PARALLEL):
        assert len(api.step) == 5
        assert not api.five


def test_every_row_has_a_source_and_names() -> None:
    rows = [*env_api_rows.CONSTRUCTORS, *env_api_rows.BASES, *env_api_rows.WRAPPERS, *env_api_rows.METHODS]
    assert len(rows) > 80
    for row in rows:
        assert all((row.source, row.packages, row.names)), row
        assert row.api is None or row.api.source, row


def test_every_row_can_be_reached() -> None:
    """A row that another always overrides would be a mistake in the table."""
    for rows, look_up in ((env_api_rows.CONSTRUCTORS, constructor), (env_api_rows.BASES, base)):
        for row in rows:
            spoken = {
                look_up(f"{'somewhere' if package == env_api_rows.ANYWHERE else package}.{name.replace('*', 'x')}")
                for package in row.packages
                for name in row.names
            }
            assert row.api in spoken, row


def test_every_api_is_found_by_its_name() -> None:
    assert env_api_rows.APIS["SB3 VecEnv"] is env_apis.SB3_VEC_ENV
    internal = (env_apis.KEPT_GYM, env_apis.FOREIGN)
    known = {api for api in vars(env_apis).values() if isinstance(api, Api) and api not in internal}
    assert set(env_api_rows.APIS.values()) == known
    assert len(env_api_rows.APIS) == len(known)


def test_environment_roots_and_look_alikes_do_not_overlap() -> None:
    assert not packages.GYM_ROOTS & packages.LOOK_ALIKE_ROOTS
