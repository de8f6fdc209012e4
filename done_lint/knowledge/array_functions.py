"""What functions and methods of the usual libraries do with flags and containers (data).

Names are compared by their last part, after the root package is known to be one of `ARRAYS` or the
builtins: the many spellings of one idea (`np.array`, `torch.as_tensor`, `jnp.asarray`) are one row.
"""

from __future__ import annotations

#: Packages whose functions work on arrays element by element.
ARRAYS = frozenset(
    {"numpy", "torch", "jax", "tensorflow", "tf", "cupy", "mxnet", "mlx", "paddle", "keras", "flax", "builtins"}
)

#: Packages whose functions are known by their names.
PACKAGES = ARRAYS | frozenset(
    """collections random itertools queue copy multiprocessing heapq typing threading functools dataclasses
    asyncio concurrent""".split()
)

#: Packages whose layers are given sizes as Python's integers: Keras 3 `layers/core/dense.py` and TF-Slim 1.1
#: `layers/layers.py` (`fully_connected`, as in TensorFlow's `contrib`) raise for one of numpy's.
TAKING_INTEGERS = frozenset({"keras", "tensorflow", "tf_keras", "tf_slim"})
#: Layers that do so in other packages. PyTorch 2.13 `nn/modules/rnn.py` (`RNNBase`), whose other layers take both.
LAYERS_TAKING_INTEGERS = frozenset(
    f"torch.nn.{module}{name}" for module in ("", "modules.", "modules.rnn.") for name in ("RNN", "LSTM", "GRU")
)

#: Functions that return their first argument, as far as a flag can tell.
PASSING = frozenset(
    """array asarray asanyarray tensor as_tensor from_numpy Tensor FloatTensor BoolTensor LongTensor ByteTensor
    IntTensor DoubleTensor HalfTensor convert_to_tensor constant cast float int bool float32 float64 int32 int64
    int8 uint8 bool_ float16 stack vstack hstack concatenate concat cat column_stack dstack squeeze unsqueeze
    expand_dims reshape ravel flatten transpose copy deepcopy list tuple set iter sorted reversed roll flip
    atleast_1d atleast_2d ascontiguousarray device_put stop_gradient identity Variable to_tensor any sum
    mean vars stack_trees array_split split chunk repeat tile broadcast_to swapaxes moveaxis permute take gather
    index_select clip clamp abs pad tree_map prefetch_to_device block_until_ready""".split()
)
#: Functions that return an array, whatever they are given. numpy 2.4, PyTorch 2.9, jax 0.8.
MAKING_ARRAYS = frozenset(
    """array asarray asanyarray tensor as_tensor from_numpy zeros ones empty full zeros_like ones_like empty_like
    full_like stack vstack hstack concatenate cat""".split()
)
#: What makes an array of a list, in another shape: who asks for that takes what it gives for one. numpy 2.4.
SHAPING = "reshape"
#: Functions that join all their arguments.
JOINING = frozenset("append concatenate concat cat stack vstack hstack insert chain from_iterable".split())
#: Functions that make an array to be filled.
TO_BE_FILLED = frozenset("zeros ones empty full zeros_like ones_like empty_like full_like".split())
#: Functions that make an empty container or an array to be filled.
CONTAINERS = TO_BE_FILLED | frozenset(
    """deque list dict defaultdict OrderedDict set SharedMemory Queue SimpleQueue LifoQueue PriorityQueue""".split()
)
#: Functions that do nothing with the values of their arguments, or keep all of them in their places.
HARMLESS = frozenset(
    """print isinstance issubclass type str repr id callable hasattr setattr signature get_type_hints list tuple partial
    wraps deepcopy append pprint info debug raises assertRaises assertWarns register next iter reversed
    enumerate""".split()
)
#: Functions that return one of their arguments, or what is used in its place (a copy, a block's context): which one.
#: Python 3.13 `typing`, `copy` and `contextlib`, Ray 2.9 `ray/_private/worker.py`, PyTorch 2.9 `utils/data`.
RETURNING: dict[str, int] = {
    **dict.fromkeys(("typing.cast", "typing_extensions.cast"), 1),
    **dict.fromkeys(("copy.copy", "copy.deepcopy", "ray.get", "ray.put", "ray.remote", "ray.remote()"), 0),
    **dict.fromkeys(("contextlib.closing", "contextlib.nullcontext"), 0),
    # a batch has the parts of what `__getitem__` of the dataset gives
    **dict.fromkeys(("torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"), 0),
}
#: Functions that return a new generator of an environment, and its seed. Gym 0.26 and Gymnasium 1.4 `utils/seeding.py`.
SEEDING = frozenset({"gym.utils.seeding.np_random", "gymnasium.utils.seeding.np_random"})
#: numpy's generator of before, whose methods have other names. numpy 2.4 `random/mtrand.pyx`.
OLD_GENERATORS = frozenset({"numpy.random.RandomState", "numpy.random.mtrand.RandomState"})
#: Constructors of generators, by their last names, that take a seed. numpy 2.4, Python 3.13 `random`, jax 0.8.
MAKING_GENERATORS = frozenset({"default_rng", "RandomState", "Random", "PRNGKey"})
#: Functions that draw elements of their first argument.
DRAWING = frozenset("sample choice choices islice shuffle permutation as_completed".split())
#: The method of a distribution that tells how likely an action is: `torch.distributions` and what follows it.
LOG_PROBABILITY = "log_prob"
#: Functions that tell the logarithm of how likely each class is. PyTorch 2.9 `nn/functional.py`, jax 0.8 `nn`.
LOG_LIKELIHOODS = frozenset({"log_softmax", "logsigmoid", "log_sigmoid"})
#: Functions and methods that tell of each place in an array how many flags came before.
COUNTING = frozenset({"cumsum", "cumprod"})
#: Functions and methods that tell the places of what is true. numpy 2.4, PyTorch 2.9, jax 0.8.
PLACES = frozenset({"where", "nonzero", "flatnonzero", "argwhere"})
#: All those, and others that tell where in an array flags stand: they find its episodes.
LOCATING = COUNTING | PLACES | frozenset({"argmax", "diff", "searchsorted"})
#: Functions and methods that make fewer numbers of an array, or tell of it. numpy 2.4, PyTorch 2.9, jax 0.8.
CONDENSING = LOCATING | frozenset(
    """sum nansum mean nanmean median nanmedian average std nanstd var nanvar min amin nanmin max amax nanmax prod ptp
    percentile quantile argmin argsort sort unique histogram bincount norm shape size ndim len all any allclose
    isclose array_equal""".split()
)
#: Those that give the places in which a mask is true: rows that are picked by these are picked by the mask.
TRUE_PLACES = frozenset("nonzero flatnonzero where".split())
#: Those that give numbers of elements.
FOUND_PLACES = TRUE_PLACES | {"argwhere", "argmax", "argmin"}
#: Methods that return the value they are called on, as far as a flag can tell.
PASSING_METHODS = frozenset(
    """float double half int long bool byte item numpy cpu cuda to type type_as astype view reshape squeeze unsqueeze
    flatten ravel copy clone detach tolist expand expand_as repeat transpose permute t contiguous any all sum mean
    requires_grad_ share_memory_ pin_memory swapaxes flip roll gather index_select take stack concat values
    unbind split chunk squeeze_ unsqueeze_ view_as mT T clip clip_ clamp clamp_ masked_select""".split()
)
#: Functions that write an object to a file or into bytes: `pickle`, `dill`, `json`, `msgpack`, `joblib`, `torch`.
WRITING = frozenset({"dump", "dumps", "packb", "save"})
#: Methods that put their last argument into the container.
PUTTING = frozenset("append appendleft insert put put_nowait add push extend extendleft send".split())
#: Those of pipes and queues: what takes it out is another process or thread.
SENDING = frozenset({"send", "put", "put_nowait"})
#: Functions that return the array they are given with their next arguments in it. numpy 2.4 `lib/function_base.py`.
PUTTING_INTO = frozenset({"numpy.append", "numpy.insert"})
#: Methods that put their argument into the place of what they are called on: `rows[t].copy_(row)`. PyTorch 2.9 Tensor.
OVERWRITING = frozenset({"copy_", "fill_"})
#: Methods that leave nothing of what they are called on: they overwrite it, or draw it anew. PyTorch 2.9 Tensor.
ERASING = OVERWRITING | frozenset(
    """zero_ uniform_ normal_ log_normal_ random_ bernoulli_ exponential_ geometric_ cauchy_ set_ eye_""".split()
)
#: Methods that give another number for each, and need not say so by a `_` at their end. PyTorch 2.9 Tensor.
ELEMENTWISE = frozenset(
    """add sub subtract div divide true_divide floor_divide pow square sqrt rsqrt exp log log1p sign sgn tanh sigmoid
    relu abs absolute neg nan_to_num round floor ceil trunc clamp_min clamp_max clip_min clip_max addcmul addcdiv
    lerp""".split()
)
#: Methods of `x.at[i]` that return the array with a value in that place: `x.at[i].set(row)`. JAX 0.8 `jax.Array.at`.
PUTTING_AT = frozenset({"add", "set"})
#: Methods that take an element out of the container.
TAKING = frozenset("pop popleft get get_nowait recv popitem __next__ next result".split())


def maps_each(method: str) -> bool:
    """Whether a method gives a number for each that an array has: `x.clip_(-3, 3)` changes `x`, and is `x`."""
    in_place = method.endswith("_") and not method.startswith("_") and method not in ERASING
    return in_place or method in ELEMENTWISE
