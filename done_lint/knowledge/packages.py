"""What the packages that a file imports say of the environments in it (data)."""

from __future__ import annotations

#: Imports that mean that another API may be in play: there, a name such as `env` proves nothing.
LOOK_ALIKE_ROOTS: frozenset[str] = frozenset(
    {
        "acme",
        "alfworld",
        "baselines.common.cmd_util",
        "baselines.common.vec_env",
        "bidexhands",
        "brax",
        "bsuite",
        "crafter",
        "dm_control",
        "dm_control2gym",
        "dm_env",
        "dm_env_wrappers",
        "dmc2gym",
        "envpool",
        "go1_gym",
        "gym3",
        "gym_super_mario_bros",
        "gym_tetris",
        "gym_unity",
        "gym_zelda_1",
        "gymnax",
        "humanoid.envs",
        "isaacgym",
        "isaacgymenvs",
        "isaaclab",
        "isaaclab_rl",
        "isaaclab_tasks",
        "jaxmarl",
        "jericho",
        "jumanji",
        "legged_gym",
        "magent2",
        "meltingpot",
        "minedojo",
        "minerl",
        "mlagents",
        "mlagents_envs",
        "mpe2",
        "mujoco_playground",
        "multiagent",
        "nes_py",
        "omni",
        "omniisaacgymenvs",
        "pettingzoo",
        "procgen",
        "pybullet_envs",
        "pybulletgym",
        "ray.rllib",
        "retro",
        "rl_games",
        "rl_zoo3",
        "robomimic",
        "robosuite",
        "rsl_rl",
        "sb3_contrib",
        "smac",
        "smacv2",
        "stable_baselines",
        "stable_baselines3.common.env_util",
        "stable_baselines3.common.vec_env",
        "supersuit",
        "textworld",
        "tf_agents",
        "tianshou.env",
        "torchrl",
        "unityagents",
        "vmas",
    }
)

#: Packages that programs import for other work: whatever id nobody is known to register, none of these did it.
WITHOUT_ENVIRONMENTS: frozenset[str] = frozenset(
    """
    IPython OpenGL PIL absl accelerate bs4 cffi chex click cloudpickle comet_ml cpprb cupy cv2 cycler cython d3rlpy
    dask datasets deap dill distrax docopt dotenv easydict einops filelock fire flask flax fsspec functorch future
    git gin google googleapiclient graphviz gdown grpc h5py haiku hydra imageio ipdb ipywidgets jax jaxlib jaxtyping
    jinja2 joblib jsonpickle jsonschema keras lightning loguru lxml lz4 matplotlib mlflow moviepy mpi4py mpmath
    msgpack mujoco mujoco_py mxnet natsort neptune nevergrad networkx nltk numba numpy omegaconf onnx onnxruntime
    openai optax optuna orbax packaging paddle pandas pathos patsy pexpect pkg_resources platformdirs plotly pptree
    prettytable progressbar protobuf psutil pyarrow pybullet pybullet_data pydantic pydot pyglet pygame pylab
    pympler pynvml pyparsing pyperclip pyro pytest python_speech_features pytorch_lightning pytz pyvirtualdisplay
    ray redis regex requests rich rlax ruamel safetensors salina scipy seaborn sentry_sdk setproctitle setuptools
    shapely simple_parsing simplejson six skimage sklearn skopt snakeviz sortedcontainers sounddevice statsmodels
    submitit sympy tables tabulate tblib tensorboard tensorboardX tensorboard_logger tensorflow tensorflow_addons
    tensorflow_probability tensorlayer termcolor tf_slim theano tianshou timm toml tomli toolz torch torchaudio
    torchinfo torchmetrics torchsummary torchvision tornado tqdm transformers tree trfl trio tune typeguard typer
    typing_extensions tyro ujson unittest2 urllib3 visdom wandb websocket websockets werkzeug xgboost xlrd yacs yaml
    yapf zmq
    """.split()
)

#: Imports that mean that plain Gym or Gymnasium environments are in play.
GYM_ROOTS: frozenset[str] = frozenset(
    {
        "ale_py",
        "d4rl",
        "gym",
        "gym_minigrid",
        "gymnasium",
        "gymnasium_robotics",
        "highway_env",
        "metaworld",
        "minigrid",
        "panda_gym",
        "stable_retro",
    }
)
