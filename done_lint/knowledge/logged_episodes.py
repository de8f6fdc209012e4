"""Datasets of logged episodes, whose arrays of flags are apart (data).

Minari 0.5 `dataset/minari_dataset.py`, `dataset/episode_data.py`: a `MinariDataset` gives an `EpisodeData` by its
number or in a loop; its `terminations` and `truncations` are what each step of the episode returned.
"""

from __future__ import annotations

#: The class, as annotations name it, and the functions that give an instance.
DATASET = "minari.MinariDataset"
EPISODE = "minari.EpisodeData"
LOADING = frozenset({DATASET, "minari.load_dataset", "minari.combine_datasets"})
#: Methods of a dataset that give several episodes, and those that give another dataset.
GIVING_EPISODES = frozenset({"iterate_episodes", "sample_episodes"})
GIVING_DATASETS = frozenset({"filter_episodes"})
TERMINATIONS, TRUNCATIONS = "terminations", "truncations"
