"""What a wrong mask costs, in numbers: learnt values, advantages and returns against the right ones.

    python benchmarks/value_bias.py [--plot value_bias.png]

Nothing is trained. Environments are so small that their true values are known: everything is either the exact fixed
point of a target, or a target computed on a rollout with the true values as critic. The only randomness is that of
the rollouts, with fixed seeds. Figures that depend on a rollout are errors in units of the reward.

Notation: T terminated, U truncated, D = T | U. `V(final)` is the value of the observation an episode ended with,
`V(reset)` that of the observation the next one starts with, which is what `values[t + 1]` holds after an autoreset.
Needs numpy; the plot also matplotlib.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# --- A1: one state -------------------------------------------------------------------------------------------------


def one_state(hazard: float, limit: int, gamma: float = 0.99) -> tuple[float, float]:
    """True value, and the one learnt with a `done` mask, of a state with reward 1 at every step.

    The k-th step of an episode is taken with a frequency proportional to (1 - hazard)^(k - 1); a step is masked where
    the episode terminates, by chance, and the last one always.
    """
    taken = (1 - hazard) ** np.arange(limit)
    unmasked = (1 - hazard) * (1 - taken[-1] / taken.sum())
    return 1 / (1 - gamma * (1 - hazard)), 1 / (1 - gamma * unmasked)


# --- A2, A3: fixed points on a ring --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ring:
    """States in a circle; each step goes on with probability `onward`, else stays, and terminates with `hazard`.

    The rewards rise and fall once around the ring, with mean 0.1; episodes start in state 0, the poorest.
    """

    hazard: float
    gamma: float = 0.95
    size: int = 10
    onward: float = 0.65

    @property
    def rewards(self) -> Array:
        return 0.1 * (1 - np.cos(2 * np.pi * (np.arange(self.size) - 2) / self.size))

    @property
    def moves(self) -> Array:
        """Probability of each next state (row: from, column: to), whether or not the step terminates."""
        stay = np.eye(self.size)
        return self.onward * np.roll(stay, 1, axis=1) + (1 - self.onward) * stay

    @property
    def values(self) -> Array:
        """The true values."""
        return np.linalg.solve(np.eye(self.size) - self.gamma * (1 - self.hazard) * self.moves, self.rewards)

    def learnt(self, limit: int, target: str) -> tuple[Array, Array]:
        """The values that TD(0) with a target converges to, and how often each state is visited.

        `target` is what stands behind the reward of a step that the limit cuts: `nothing`, `reset` or `final`.
        """
        at, early, late = np.eye(self.size)[0], np.zeros(self.size), np.zeros(self.size)
        for step in range(1, limit + 1):
            if step < limit:
                early += at
            else:
                late += at
            at = (1 - self.hazard) * (at @ self.moves)
        visits = early + late
        on, cut = (early / visits)[:, None], (late / visits)[:, None]
        to_reset = np.tile(np.eye(self.size)[0], (self.size, 1))
        behind = {"nothing": 0 * self.moves, "reset": to_reset, "final": self.moves}[target]
        following = (1 - self.hazard) * (on * self.moves + cut * behind)
        return np.linalg.solve(np.eye(self.size) - self.gamma * following, self.rewards), visits / visits.sum()

    def bias(self, limit: int, target: str) -> float:
        """The mean error of the learnt values over the ring's states."""
        return float(np.mean(self.learnt(limit, target)[0] - self.values))

    def without_mask(self) -> float:
        """The value of the start where even real terminations are bootstrapped through."""
        return float(Ring(0.0, self.gamma, self.size, self.onward).values[0])


# --- B, C: targets on a rollout ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rollout:
    """Rows of several episodes one after the other, with the true values as critic."""

    gamma: float
    rewards: Array
    #: V of the observation of each row, and behind the last row.
    values: Array
    #: V of the observation that each step really led to.
    following: Array
    terminated: Array
    done: Array

    @property
    def truncated(self) -> Array:
        """Ended by the limit alone: what a value is added for."""
        return self.done * (1 - self.terminated)

    @property
    def shifted(self) -> Array:
        """`values[t + 1]`: at the end of an episode the value of the next one's start."""
        return self.values[1:]

    def deltas(self, mask: Array, following: Array, rewards: Array | None = None) -> Array:
        """One-step errors: the reward, what follows where `mask` is 0, minus the value."""
        rewards = self.rewards if rewards is None else rewards
        return rewards + self.gamma * (1 - mask) * following - self.values[:-1]

    def gae(self, deltas: Array, border: Array, trace: float, kept: Array | float = 1.0) -> Array:
        """The recursion over time, cut where `border` is 1; `kept` is what ikostrikov multiplies it with."""
        kept = np.broadcast_to(kept, deltas.shape)
        advantages, last = np.zeros_like(deltas), 0.0
        for t in reversed(range(len(deltas))):
            last = (deltas[t] + self.gamma * trace * (1 - border[t]) * last) * kept[t]
            advantages[t] = last
        return advantages

    def n_step(self, n: int, stop: Array, mask: Array, following: Array) -> Array:
        """n-step returns: rewards up to the first `stop`, then the value that `mask` does not cut."""
        returns = np.zeros_like(self.rewards)
        for start in range(len(returns)):
            discount = 1.0
            for t in range(start, min(start + n, len(returns))):
                returns[start] += discount * self.rewards[t]
                discount *= self.gamma
                if stop[t]:
                    break
            returns[start] += discount * (1 - mask[t]) * following[t]
        return returns

    def monte_carlo(self, border: Array, start: Array) -> Array:
        """Rewards to go; behind a row of the `border` (and the last) they begin with `start`."""
        returns, total = np.zeros_like(self.rewards), 0.0
        for t in reversed(range(len(returns))):
            if border[t] or t == len(returns) - 1:
                total = start[t]
            total = self.rewards[t] + self.gamma * total
            returns[t] = total
        return returns

    def episodes(self) -> list[slice]:
        """The rows of each episode: the reference is computed within these, with no mask but `terminated`."""
        ends = [*(np.flatnonzero(self.done) + 1)]
        ends += [len(self.done)] if not ends or ends[-1] < len(self.done) else []
        return [slice(int(a), int(b)) for a, b in zip([0, *ends[:-1]], ends)]

    def episode_wise(self, step: Callable[[int, float], float], end: Callable[[int], float]) -> Array:
        """A backward recursion inside each episode: `step(t, later)`, starting from `end(t)` behind its last row."""
        found = np.zeros_like(self.rewards)
        for rows in self.episodes():
            later = end(rows.stop - 1)
            for t in reversed(range(rows.start, rows.stop)):
                later = found[t] = step(t, later)
        return found


def walk(ring: Ring, rows: int, limit: int, noise: float, seed: int) -> Rollout:
    """Walk on the ring, its rewards with noise; the limit cuts episodes, and the end of the rows the last one."""
    random = np.random.default_rng(seed)
    values, state, steps = ring.values, 0, 0
    kept: list[tuple[float, float, float, bool, bool]] = []
    for row in range(rows):
        reward = ring.rewards[state] + noise * random.standard_normal()
        after = (state + (random.random() < ring.onward)) % ring.size
        terminated = bool(random.random() < ring.hazard)
        steps += 1
        done = terminated or steps == limit or row == rows - 1
        kept.append((reward, values[state], values[after], terminated, done))
        state, steps = (0, 0) if done else (after, steps)
    columns = np.array(kept, dtype=float).T
    return Rollout(ring.gamma, columns[0], np.append(columns[1], values[state]), columns[2], columns[3], columns[4])


def rmse(found: Array, right: Array) -> float:
    return float(np.sqrt(np.mean((found - right) ** 2)))


def gae_recipes(rollout: Rollout, trace: float = 0.95) -> dict[str, Array]:
    """Advantages by recipe; the first is the reference, computed episode by episode."""
    r, t, d, reset, final = rollout, rollout.terminated, rollout.done, rollout.shifted, rollout.following
    exact = r.deltas(t, final)
    patched = r.rewards + r.gamma * final * r.truncated
    stand_in = r.rewards + r.gamma * r.values[:-1] * r.truncated
    return {
        "each episode by itself": r.episode_wise(lambda i, later: exact[i] + r.gamma * trace * later, lambda i: 0.0),
        "T in the delta with V(final), D in the carry": r.gae(exact, d, trace),
        "r += gamma * V(final) at U, D in both": r.gae(r.deltas(d, reset, patched), d, trace),
        "D in both": r.gae(r.deltas(d, reset), d, trace),
        "T in both, V(reset)": r.gae(r.deltas(t, reset), t, trace),
        "T in both, V(final)": r.gae(exact, t, trace),
        "T in the delta with V(reset), D in the carry": r.gae(r.deltas(t, reset), d, trace),
        "r += gamma * V(s_t) at U, D in both": r.gae(r.deltas(d, reset, stand_in), d, trace),
        "advantage dropped at U (bad_masks)": r.gae(r.deltas(t, reset), d, trace, kept=1 - r.truncated),
    }


def toy() -> dict[str, Array]:
    """Six rows, the limit after the third: the advantages of the first three, small enough to check by hand."""
    ends = np.array([0.0, 0, 1, 0, 0, 0])
    values = np.array([5.0, 6, 7, 2, 3, 4, 5])
    following = np.array([6.0, 7, 8, 3, 4, 5])
    rollout = Rollout(0.9, np.ones(6), values, following, np.zeros(6), ends)
    return {name: advantages[:3] for name, advantages in gae_recipes(rollout, trace=0.8).items()}


def returns_recipes(rollout: Rollout, n: int = 5) -> dict[str, dict[str, float]]:
    """Errors of n-step returns, V-trace and Monte-Carlo returns, by kind and recipe."""
    r, t, d, reset, final = rollout, rollout.terminated, rollout.done, rollout.shifted, rollout.following
    # importance ratios of an off-policy actor, clipped at 1
    ratios = np.minimum(np.exp(0.5 * np.random.default_rng(1).standard_normal(len(d))), 1.0)

    def v_trace(mask: Array, border: Array, following: Array) -> Array:
        deltas, corrections, last = ratios * r.deltas(mask, following), np.zeros(len(d)), 0.0
        for i in reversed(range(len(d))):
            last = corrections[i] = deltas[i] + r.gamma * (1 - border[i]) * ratios[i] * last
        return r.values[:-1] + corrections

    exact = {
        "n-step": r.n_step(n, d, t, final),
        "V-trace": v_trace(t, d, final),
        "Monte Carlo": r.monte_carlo(d, (1 - t) * final),
    }
    recipes = {
        "D in both": (r.n_step(n, d, d, final), v_trace(d, d, reset), r.monte_carlo(d, (1 - d) * final)),
        "T in both, V(reset)": (
            r.n_step(n, t, t, reset),
            v_trace(t, t, reset),
            r.monte_carlo(t, (1 - t) * final),
        ),
        "T in both, V(final)": (r.n_step(n, t, t, final), v_trace(t, t, final), None),
        "T for the value V(reset), D to stop": (
            r.n_step(n, d, t, reset),
            v_trace(t, d, reset),
            r.monte_carlo(d, (1 - t) * reset),
        ),
        "T for the value V(final), D to stop": tuple(exact.values()),
    }
    return {
        name: {kind: rmse(found, right) for (kind, right), found in zip(exact.items(), columns) if found is not None}
        for name, columns in recipes.items()
    }


# --- D: the rows of a NEXT_STEP autoreset --------------------------------------------------------------------------


def with_reset_rows(rollout: Rollout) -> tuple[Rollout, NDArray[np.bool_]]:
    """The rollout as a NEXT_STEP vector environment gives it, and which of its rows are real.

    Behind each end stands a row from the final observation to the first one of the next episode: reward 0, no flag.
    The last row is no end here: the rollout stops in the middle of an episode.
    """
    columns: list[tuple[float, float, float, float]] = []
    real: list[bool] = []
    for t in range(len(rollout.done)):
        columns.append((rollout.rewards[t], rollout.values[t], rollout.terminated[t], rollout.done[t]))
        real.append(True)
        if rollout.done[t]:
            columns.append((0.0, rollout.following[t], 0.0, 0.0))
            real.append(False)
    rewards, values, terminated, done = np.array(columns).T
    values = np.append(values, rollout.values[-1])
    return Rollout(rollout.gamma, rewards, values, values[1:], terminated, done), np.array(real)


def next_step_recipes(rollout: Rollout, trace: float = 0.95) -> tuple[dict[str, float], float]:
    """Errors on the real rows, and the mean one-step error of the made-up ones."""
    right = gae_recipes(rollout, trace)["each episode by itself"]
    rows, real = with_reset_rows(rollout)
    t, d = rows.terminated, rows.done
    recipes = {
        "T in the delta, D in the carry": rows.gae(rows.deltas(t, rows.shifted), d, trace),
        "T in both": rows.gae(rows.deltas(t, rows.shifted), t, trace),
        "D in both": rows.gae(rows.deltas(d, rows.shifted), d, trace),
    }
    errors = {name: rmse(found[real], right) for name, found in recipes.items()}
    return errors, float(rows.deltas(t, rows.shifted)[~real].mean())


# --- What is printed -----------------------------------------------------------------------------------------------

LIMITS = {0.0: (50, 200, 500, 1000), 0.002: (200, 500), 0.02: (200, 500)}


def one_state_table() -> list[tuple[float, int, float, float]]:
    """Hazard, limit, true value, value with done."""
    return [(hazard, limit, *one_state(hazard, limit)) for hazard, limits in LIMITS.items() for limit in limits]


def gae_rollout() -> Rollout:
    """No hazard: every end is a truncation."""
    return walk(Ring(hazard=0.0), rows=400, limit=25, noise=0.5, seed=0)


def returns_rollout() -> Rollout:
    """Longer episodes and a noisier reward: a return spreads wider than the value that a wrong mask drops."""
    return walk(Ring(hazard=0.0), rows=4000, limit=100, noise=1.0, seed=0)


def tables() -> str:
    """All tables, as text."""
    rows = ["A1  One state, reward 1 a step, gamma 0.99: the value learnt with a `done` mask"]
    rows.append(f"{'hazard':>8}{'limit':>7}{'true V':>9}{'with D':>9}{'bias':>9}")
    for hazard, limit, right, learnt in one_state_table():
        rows.append(f"{hazard:8}{limit:7}{right:9.2f}{learnt:9.2f}{learnt / right - 1:9.1%}")
    ring = Ring(hazard=0.001)
    rows.append(f"\nA2  Ring of ten states, gamma 0.95, mean true V {ring.values.mean():.2f}: mean bias by limit")
    rows.append(f"{'':32}{12:>8}{25:>8}{100:>8}")
    for name, target in (("D", "nothing"), ("T, V(reset)", "reset"), ("T, V(final)", "final")):
        # adding zero: there is no negative one in a table
        biases = "".join(f"{round(ring.bias(limit, target), 2) + 0.0:8.2f}" for limit in (12, 25, 100))
        rows.append(f"{name:32}{biases}")
    mortal = Ring(hazard=0.2)
    rows.append(f"\nA3  No mask at all, hazard {mortal.hazard}: value of the start")
    rows.append(f"{'':4}{mortal.values[0]:.2f} becomes {mortal.without_mask():.2f}")
    rows.append("\nB   GAE, gamma and lambda 0.95, 400 rows, limit 25, exact V: error against each episode by itself")
    recipes = gae_recipes(gae_rollout())
    right = recipes.pop("each episode by itself")
    rows.append(f"{'':4}standard deviation of the right advantages {right.std():.2f}")
    rows.append(f"{'':48}{'rmse':>8}{'max':>8}")
    for name, found in recipes.items():
        rows.append(f"{name:48}{rmse(found, right):8.3f}{np.abs(found - right).max():8.2f}")
    rows.append("\nToy Six rows, gamma 0.9, lambda 0.8, the limit after the third: the first three advantages")
    for name, found in toy().items():
        rows.append(f"{name:48}{''.join(f'{a:8.3f}' for a in found)}")
    rows.append("\nC   Returns, 4000 rows, limit 100, noisier reward, exact V: rmse against two masks")
    rows.append(f"{'':40}{'n-step(5)':>12}{'V-trace':>12}{'Monte Carlo':>12}")
    for name, errors in returns_recipes(returns_rollout()).items():
        cells = "".join(f"{errors[kind]:12.3f}" if kind in errors else f"{'-':>12}" for kind in _KINDS)
        rows.append(f"{name:40}{cells}")
    errors, made_up = next_step_recipes(gae_rollout())
    rows.append("\nD   NEXT_STEP: the rows between two episodes kept; rmse on the real ones")
    rows += [f"{name:40}{error:8.3f}" for name, error in errors.items()]
    rows.append(f"{'mean one-step error of the made-up rows':40}{made_up:8.3f}")
    return "\n".join(rows) + "\n"


_KINDS = ("n-step", "V-trace", "Monte Carlo")


def plot(path: str) -> None:
    """What is learnt by limit in A1, and the error of each recipe in B."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
    limits = np.unique(np.logspace(1, 3, 60).astype(int))
    for hazard in LIMITS:
        learnt = [value / true for true, value in (one_state(hazard, int(limit)) for limit in limits)]
        left.plot(limits, learnt, label=f"terminates with {hazard:g} a step")
    left.set(xscale="log", xlabel="time limit", ylabel="learnt value / true value", title="`done` as the mask")
    left.legend()
    recipes = gae_recipes(gae_rollout())
    exact = recipes.pop("each episode by itself")
    right.barh(list(recipes), [rmse(found, exact) for found in recipes.values()])
    right.invert_yaxis()
    right.set(xlabel="rmse of the advantages", title="GAE by recipe")
    figure.savefig(path)


def main() -> None:
    """Print the tables; write the plot where it is asked for and matplotlib is there."""
    parser = argparse.ArgumentParser(description="What a wrong mask costs.")
    parser.add_argument("--plot", default="value_bias.png", help="where to write the plot")
    asked = parser.parse_args()
    print(tables(), end="")
    if find_spec("matplotlib") is None:
        print("matplotlib is not installed: no plot", file=sys.stderr)
    else:
        plot(asked.plot)


if __name__ == "__main__":
    main()
