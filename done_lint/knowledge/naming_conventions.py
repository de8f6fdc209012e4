"""What a name alone suggests: the weakest evidence, asked only where the model has no other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from done_lint.knowledge.packages import GYM_ROOTS, LOOK_ALIKE_ROOTS

_ENVIRONMENT = re.compile(r"^_*(?:[a-z0-9]+_)*env(?:ironment)?(?:_[a-z0-9]+)?_*$", re.IGNORECASE)
_ENVIRONMENTS = re.compile(r"(?:^|_)(?:v?envs|environments)_*$", re.IGNORECASE)
_ENVIRONMENT_COUNT = re.compile(r"(?:^|_)(?:n|num|number_of)_?env(?:ironment)?s?_*$", re.IGNORECASE)
_OTHER = re.compile(r"vec|mock|fake|dummy", re.IGNORECASE)
_DONE = re.compile(
    r"^_*(?:is_|batch_|b_|mb_|next_|the_|all_)?(?:done|dones|terminal|terminals|is_?done|finished|d)"
    r"(?:s|_?(?:batch|b|t|mask|flag|flags|bool|arr|buf|tensor|memory|list|vec))?_*$",
    re.IGNORECASE,
)
_DISCOUNT = re.compile(r"gamma|discount(?!ed)|^gam$|^\N{GREEK SMALL LETTER GAMMA}$", re.IGNORECASE)
_TRACE = re.compile(
    r"^(?:gae_?)?(?:lam|lambda|lamda|lambd|lmbda|tau|λ)\d?_?$|gae_?lam|gae_?tau|_lambda$|_lam$", re.IGNORECASE
)
_TERMINATED = re.compile(r"(?<![a-z])terms?(?![a-z])|terminat(?:ed|ion)|terminal_?only", re.IGNORECASE)
#: The fewest letters of a name that says what it stands for, and how many values a step has.
_TELLING = 3
_FIVE = 5
_ENVIRONMENT_ID = re.compile(r"^[\w:./-]+-v\d+$")
#: The slot of a step's result that a name belongs to; no abbreviation is read.
STEP_SLOTS: dict[str, int] = {
    **dict.fromkeys(("terminated", "terminateds", "termination", "terminations"), 2),
    **dict.fromkeys(("terminal", "terminals", "done", "dones"), 2),
    **dict.fromkeys(("truncated", "truncateds", "truncation", "truncations"), 3),
    **dict.fromkeys(("info", "infos"), 4),
}
#: The same of its first two values.
_OBSERVATION_SLOT = re.compile(r"^(?:[a-z]+_)*(?:obs|observations?|states?)$")
_REWARD_SLOT = frozenset({"reward", "rewards"})
_REWARD = re.compile(r"^_*(?:[a-z0-9]+_)*(?:r|rew|rews|rwd|reward|rewards)(?:_[a-z0-9]+)?_*$", re.IGNORECASE)
_SCORE = re.compile(r"^_*(?:[a-z0-9]+_)*scores?_*$", re.IGNORECASE)
_INFO = re.compile(r"^_*(?:[a-z0-9]+_)*infos?(?:_[a-z0-9]+)?_*$", re.IGNORECASE)
_TRUNCATED = re.compile(r"trunc|time_?out|time_?limit", re.IGNORECASE)
#: Words in the names of folders, files and classes by which projects tell that something stays as it was.
_OLD = re.compile(
    r"(?<![a-z])(?:old|legacy|compat|compatibility|deprecated)(?![a-z])"
    r"|(?<![a-z])gym[_-]?v?0?[_.]?(?:1\d|2[0-5])(?!\d)|(?<![a-z0-9])v0?[_.]?2[0-5](?!\d)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_OF_ENVIRONMENTS = frozenset({"env", "envs", "environment", "environments", "gym"})
#: The fewest letters of a word that tells a package from others.
_TELLING = 3
#: A file for one release, beside the one for today: `example_v0.1.5.ipynb`.
_RELEASE = re.compile(r"[_-]v?\d+(?:\.\d+)+(?=\.[a-z]+$)")
_GYM = re.compile(r"(?<![a-z])(?:openai_?)?gym(?![a-z])")
_OLD_CLASS = re.compile(r"^_*(?:Old|Legacy)(?=_?[A-Z0-9])|(?:_v|V)0?_?2[0-5](?=Env|Wrapper|$)")


def environment(name: str) -> bool:
    """`env`, `test_env`, `self.env`, `env_name_free`; never a plural, which may be any vector environment."""
    return bool(_ENVIRONMENT.match(name)) and not _OTHER.search(name)


def environments(name: str) -> bool:
    """`envs`, `train_envs`: what steps many at once."""
    return bool(_ENVIRONMENTS.search(name))


def environment_count(name: str) -> bool:
    """`num_envs`, `args.n_envs`, `nenv`."""
    return bool(_ENVIRONMENT_COUNT.search(name))


def environment_id(text: str) -> bool:
    """`CartPole-v1`, `ALE/Pong-v5`: a string that may be an environment's id."""
    return bool(_ENVIRONMENT_ID.match(text))


def done(name: str) -> bool:
    """`done`, `dones`, `done_batch`, `terminal`, `d`."""
    return bool(_DONE.match(name))


def discount(name: str) -> bool:
    """`gamma`, `self.discount`, `GAMMA`."""
    return bool(_DISCOUNT.search(name))


def trace(name: str) -> bool:
    """The λ of GAE and of λ-returns."""
    return bool(_TRACE.search(name))


def terminated(name: str) -> bool:
    """`terminated`, `term`, `terminal_only`; never `terminal`, which may mean the end of an episode by any cause."""
    return bool(_TERMINATED.search(name))


def truncated(name: str) -> bool:
    """`truncated`, `trunc`, `timeout`."""
    return bool(_TRUNCATED.search(name))


def reward(name: str) -> bool:
    """`reward`, `r`, `rew`, `total_reward`."""
    return bool(_REWARD.match(name))


def info(name: str) -> bool:
    """`info`, `_info`, `infos`."""
    return bool(_INFO.match(name))


def step_slot(name: str) -> int | None:
    """The slot of a step's result that a name belongs to: `next_state`, `reward`, `terminated`."""
    if name in _REWARD_SLOT:
        return 1
    return 0 if _OBSERVATION_SLOT.match(name) else STEP_SLOTS.get(name)


def right_order(names: Sequence[str]) -> tuple[int, ...] | None:
    """Which target belongs to which slot, if the names say that the present order is wrong.

    An empty name stands for what has none.
    """
    if any(name in STEP_SLOTS for name in names[:2]):
        return None
    first = (1, 0) if _starts_with_reward(names) else (0, 1)
    wanted = {place: STEP_SLOTS[names[place]] for place in (2, 3, 4) if names[place] in STEP_SLOTS}
    if wanted and all(place == slot for place, slot in wanted.items()):
        return (*first, 2, 3, 4) if first == (1, 0) else None
    unknown = [place for place in (2, 3, 4) if place not in wanted]
    if len(set(wanted.values())) != len(wanted):
        return None
    if unknown and (len(unknown) > 1 or names[unknown[0]] != "_"):
        return None
    free = ({2, 3, 4} - set(wanted.values())).pop() if unknown else None
    slots = {**wanted, **({unknown[0]: free} if free is not None else {})}
    place_of = {slot: place for place, slot in slots.items()}
    return (*first, place_of[2], place_of[3], place_of[4])


def in_right_order(names: Sequence[str]) -> bool:
    """Whether five names say that both flags of a step are where they belong: `terminated` before `truncated`."""
    slots = [STEP_SLOTS.get(name) for name in names]
    known = slots[2:4] == [2, 3] and slots[:2] == [None, None] and slots[4] in (None, 4)
    return known and not _starts_with_reward(names)


def is_end_late(third: str, fourth: str) -> bool:
    """Whether the fourth of five names says where the episode ends, and the third nothing of it: `cost, done`."""
    ends = done(fourth) or terminated(fourth)
    return ends and not (done(third) or terminated(third) or truncated(third) or info(third) or third == "_")


def _starts_with_reward(names: Sequence[str]) -> bool:
    """Whether the reward comes before what may be the observation: `reward, next_state, ...`."""
    return step_slot(names[0]) == 1 and (names[1] in ("", "_") or step_slot(names[1]) == 0)


def step_values(names: Sequence[str]) -> bool:
    """Whether names of four values, as of `obs, reward, done, info`, tell that a step gave them."""
    return reward(names[1]) or done(names[2]) or info(names[3])


def other_values(names: Sequence[str]) -> bool:
    """Whether names of four values or five say that they are no step's of Gym's.

    A reward or a score last, an info second; the end of the episode behind what says nothing of it.
    """
    if len(names) == _FIVE:
        return bool(names[2]) and is_end_late(names[2], names[3])
    if len(names) != _FIVE - 1:
        return False
    _, second, _, last = names
    return reward(last) or score(last) or info(second) or (done(last) and not reward(second))


def two_observations(names: Sequence[str]) -> bool:
    """Whether names of five values say that they are no step's of Gym's: `obs, state, reward, done, info`."""
    _, second, third, fourth, _ = names
    return reward(third) and done(fourth) and not reward(second)


def are_flags(first: str, second: str) -> bool:
    """Whether two values are called as the flags of a step are, the second perhaps by a letter."""
    shortened = second.startswith("t") and len(second) < _TELLING
    return (done(first) or terminated(first)) and bool(second) and (truncated(second) or shortened)


def of_step(names: Sequence[str]) -> bool:
    """Whether names are those of the five values of a step, as its flags are called."""
    return len(names) == _FIVE and are_flags(names[2], names[3]) and not two_observations(names)


def score(name: str) -> bool:
    """`score`, `total_score`."""
    return bool(_SCORE.match(name))


def made_for_gym(module: str) -> bool:
    """Whether an imported module is called after Gym, as packages of environments are: `gym_maze`, `rl.gym_maze.envs`.

    Those that `packages.GYM_ROOTS` lists are known.
    """
    return module.partition(".")[0] not in GYM_ROOTS and bool(called_after_gym(module))


def called_after_gym(module: str) -> list[str]:
    """The names in the name of a module that say so: `gym_maze` of `rl.gym_maze.envs`."""
    root, *_ = parts = module.split(".")
    called = [part for part in parts if part.startswith("gym_") or part.endswith("_gym")]
    return called or ([root] if root.endswith("gym") and root not in LOOK_ALIKE_ROOTS else [])


def of_environments(module: str) -> bool:
    """Whether a module, or what is imported from one, is called after environments: `mazes.envs`, `GymWrapper`."""
    return not _OF_ENVIRONMENTS.isdisjoint(words(module))


def names_package(env_id: str, package: str) -> bool:
    """Whether an id is spelled as a package is: `MicroRTS-v1` and `gym_microrts`, `Pommerman-v0` and `pomme`."""
    parts = words(re.sub(r"-v\d+$", "", env_id))
    starts = ["".join(parts[at:]) for at in range(len(parts))]
    own = [word for word in words(package) if word not in _OF_ENVIRONMENTS]
    return any(
        start.startswith(word) or (len(part) > _TELLING and word.startswith(part))
        for word in own
        if len(word) >= _TELLING
        for part, start in zip(parts, starts)
    )


def words(name: str) -> list[str]:
    """The words of a name in lower case: of `MicroRTSGridMode_v1` these are micro, rts, grid, mode and v."""
    return [word.lower() for word in _WORD.findall(name)]


def says_old(name: str) -> str:
    """The word by which a folder or file says that it is old: `old_env`, `legacy`, `cart_pole_v21`; else empty."""
    match = _OLD.search(name)
    return match[0].lower() if match else ""


def today(name: str) -> str:
    """What the file for today is called beside one that is for a release; empty for other files."""
    new = _RELEASE.sub("", name)
    return new if new != name else ""


def for_gymnasium(name: str) -> list[str]:
    """What a file for Gymnasium is called beside one for Gym: `gymnasium_env.py` beside `gym_env.py`."""
    return [new for new in (_GYM.sub("gymnasium", name), f"gymnasium_{name}") if new != name]


def says_old_class(name: str) -> str:
    """The same of a class: `Old_Acrobot`, `OldEnv`, `CartPoleV21`."""
    match = _OLD_CLASS.search(name)
    return match[0].strip("_") if match else ""
