"""Names of Gym's and Gymnasium's modules that are gone by chance, without a successor of their own (data).

They are helpers, names that a module had by its own imports (`gym.core.Space`), and modules of one release. Source: the
modules of Gym 0.5.6, 0.7.4, 0.9.7, 0.10.11, 0.12.6, 0.14.0, 0.15.7, 0.17.3, 0.18.3 and 0.21.0 to 0.26.2 and of
Gymnasium 0.26.3, 0.27.1, 0.28.1, 0.29.1, 1.0.0, 1.1.1 and 1.2.3, each compared with Gymnasium 1.4.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from done_lint.core.gymnasium_release import Release

#: By the first release without them and by module (without its root package), the names.
LOST_NAMES: Mapping[Release, Mapping[str, str]] = {
    (0, 26): {
        "": "logger_setup reraise sanity_check_dependencies upload",
        "core": """
            EventWrapper RandomNumberGenerator Space closer deprecated_warn_once deprecation error monitoring reraise
            warn_once""",
        "envs.__relocated__": "internal_env_relocation_map",
        "envs.box2d": "Box2D",
        "envs.box2d.bipedal_walker": "Renderer colorize seeding",
        "envs.box2d.car_dynamics": "PLAYFIELD SCALE",
        "envs.box2d.car_racing": "ROAD_COLOR Renderer colorize rendering seeding",
        "envs.box2d.lunar_lander": "Renderer seeding",
        "envs.classic_control.acrobot": "Renderer core logger seeding",
        "envs.classic_control.cartpole": "Renderer seeding",
        "envs.classic_control.continuous_mountain_car": "Renderer seeding",
        "envs.classic_control.mountain_car": "Renderer seeding",
        "envs.classic_control.pendulum": "Renderer seeding",
        "envs.mujoco.ant_v4": "mujoco_env",
        "envs.mujoco.half_cheetah_v4": "mujoco_env",
        "envs.mujoco.hopper_v4": "mujoco_env",
        "envs.mujoco.humanoid_v4": "mujoco_env",
        "envs.mujoco.humanoidstandup_v4": "mujoco_env",
        "envs.mujoco.inverted_double_pendulum_v4": "mujoco_env",
        "envs.mujoco.inverted_pendulum_v4": "mujoco_env",
        "envs.mujoco.mujoco_env": "MUJOCO_NOT_INSTALLED MUJOCO_PY_NOT_INSTALLED Renderer seeding",
        "envs.mujoco.pusher_v4": "mujoco_env",
        "envs.mujoco.reacher_v4": "mujoco_env",
        "envs.mujoco.swimmer_v4": "mujoco_env",
        "envs.mujoco.walker2d_v4": "mujoco_env",
        "envs.registration": """
            EnvSpecTree Literal StepAPICompatibility internal_env_relocation_map plugin_internal_whitelist warn_once""",
        "envs.toy_text.blackjack": "Renderer seeding",
        "envs.toy_text.cliffwalking": "Renderer discrete logger",
        "envs.toy_text.frozen_lake": "Renderer discrete logger",
        "envs.toy_text.taxi": "Renderer discrete logger",
        "envs.toy_text.utils": "seeding",
        "spaces": "BoxToMultiDiscrete DiscreteToMultiDiscrete dict_space np_random tuple_space",
        "spaces.box": "prng seeding",
        "spaces.dict": "seeding",
        "spaces.dict_space": "Dict",
        "spaces.discrete": "prng seeding",
        "spaces.graph": "SAMPLE_MASK_TYPE seeding",
        "spaces.multi_binary": "prng seeding",
        "spaces.multi_discrete": "Box BoxToMultiDiscrete DiscreteToMultiDiscrete Error SAMPLE_MASK_TYPE prng seeding",
        "spaces.sequence": "seeding",
        "spaces.text": "seeding",
        "spaces.tuple": "seeding",
        "spaces.tuple_space": "Space Tuple",
        "spaces.utils": """
            flatdim_box_multibinary flatdim_dict flatdim_discrete flatdim_multidiscrete flatdim_tuple
            flatten_box_multibinary flatten_dict flatten_discrete flatten_multidiscrete flatten_space_binary
            flatten_space_box flatten_space_dict flatten_space_tuple flatten_tuple unflatten_box_multibinary
            unflatten_dict unflatten_discrete unflatten_multidiscrete unflatten_tuple""",
        "utils": "renderer reraise_impl_py2 reraise_impl_py3",
        "utils.env_checker": "check_render check_reset_info error passive_env_reset_check passive_env_step_check",
        "utils.passive_env_checker": "passive_env_render_check passive_env_reset_check passive_env_step_check",
        "utils.play": "main plt",
        "utils.renderer": "NO_RETURNS_RENDER Renderer SINGLE_RENDER",
        "utils.reraise_impl_py3": "reraise_impl",
        "utils.seeding": "deprecation integer_types",
        "utils.step_api_compatibility": "NewStepType OldStepType step_to_new_api step_to_old_api",
        "vector": "Iterable",
        "vector.async_vector_env": "step_api_compatibility warn",
        "vector.sync_vector_env": "logger step_api_compatibility warn",
        "vector.utils.shared_memory": """
            create_base_shared_memory create_dict_shared_memory create_tuple_shared_memory logger
            read_base_from_shared_memory read_dict_from_shared_memory read_tuple_from_shared_memory
            write_base_to_shared_memory write_dict_to_shared_memory write_tuple_to_shared_memory""",
        "vector.vector_env": "Tuple deprecation",
        "wrappers": "SignReward",
        "wrappers.atari_preprocessing": "DependencyNotInstalled TimeLimit",
        "wrappers.transform_observation": "ObservationWrapper",
    },
    (0, 27): {
        "envs.mujoco": "RenderContextOffscreen Viewer",
        "envs.mujoco.mujoco_rendering": "RenderContext RenderContextOffscreen Viewer",
        "envs.mujoco.swimmer_v4": "DEFAULT_CAMERA_CONFIG",
        "spaces.box": "logger",
        "spaces.graph": "warn",
        "spaces.multi_discrete": "logger",
    },
    (0, 28): {
        "": "notice",
        "envs": "load_env_plugins",
        "experimental": "func_jax_env",
        "experimental.func_jax_env": "ActType EnvSpec FuncEnv FunctionalJaxEnv Space StateType seeding",
        "wrappers.transform_reward": "RewardWrapper",
    },
    (0, 29): {
        "envs.registration": """
            AsyncVectorEnv AutoResetWrapper EnvCompatibility HumanRendering OrderEnforcing PassiveEnvChecker
            RenderCollection SyncVectorEnv TimeLimit VectorEnv""",
        "experimental": "AsyncVectorEnv FuncEnv SyncVectorEnv VectorEnv VectorWrapper",
        "spaces.box": "get_inf",
    },
    (1, 0): {
        "core": "logger",
        "envs": "load_plugin_envs",
        "envs.box2d.lunar_lander": "colorize",
        "envs.mujoco.mujoco_env": "BaseMujocoEnv MUJOCO_IMPORT_ERROR MUJOCO_PY_IMPORT_ERROR logger",
        "envs.registration": "load_plugin_envs",
        "experimental": "functional_jax_env",
        "experimental.functional_jax_env": """
            ActType EnvSpec FuncEnv FunctionalJaxEnv FunctionalJaxVectorEnv StateType batch_space jax_to_numpy
            seeding""",
        "spaces.box": "get_precision",
        "utils.env_checker": "check_reset_seed",
        "utils.play": "deprecation",
        "vector": "Env",
        "vector.utils": "BaseGymSpaces",
        "vector.vector_env": "VectorEnvWrapper batch_space logger",
    },
    (1, 2): {
        "envs.mujoco.mujoco_py_env": """
            BaseMujocoPyEnv DEFAULT_SIZE MUJOCO_PY_IMPORT_ERROR MuJocoPyEnv Space error expand_model_path logger
            spaces""",
        "envs.tabular.cliffwalking": "StateType",
        "wrappers.jax_to_numpy": "RenderFrame WrapperActType WrapperObsType",
        "wrappers.jax_to_torch": "RenderFrame WrapperActType WrapperObsType",
        "wrappers.numpy_to_torch": "RenderFrame WrapperActType WrapperObsType",
        "wrappers.vector.jax_to_numpy": "ActType ArrayType ObsType VectorWrapper",
        "wrappers.vector.jax_to_torch": "ActType ArrayType ObsType VectorWrapper",
        "wrappers.vector.numpy_to_torch": "ActType ArrayType ObsType VectorWrapper",
    },
    (1, 4): {
        "spaces.discrete": "IntType",
        "spaces.graph": "MultiDiscrete",
        "spaces.multi_binary": "MaskNDArray",
        "spaces.space": "T_cov",
        "spaces.utils": "IntType",
        "utils.play": "ObsType",
        "vector.async_vector_env": "ArrayType",
        "vector.sync_vector_env": "ArrayType",
        "vector.utils.space_utils": "T_cov",
        "wrappers.utils": "T_cov",
        "wrappers.vector.array_conversion": "ArrayType",
        "wrappers.vector.common": "ArrayType",
        "wrappers.vector.stateful_observation": "ObsType",
        "wrappers.vector.stateful_reward": "ArrayType",
    },
}


def lost_names() -> Iterator[tuple[str, Release]]:
    """Each name with its module, without the root package, and the first release that does not have it."""
    for release, modules in LOST_NAMES.items():
        for module, names in modules.items():
            for name in names.split():
                yield (f"{module}.{name}" if module else name), release
