"""Batches in which the pairs of one prose stay together, so that the prose is read once for all of them.

For sentence-transformers' trainers. Groups are shuffled anew in every epoch; within a group nothing moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import torch
from sentence_transformers.base.sampler import DefaultBatchSampler


class GroupedBatches(DefaultBatchSampler):
    """Groups are runs of rows with the same `prose`."""

    def __init__(self, dataset: Any, batch_size: int, drop_last: bool, **others: Any) -> None:
        super().__init__(dataset, batch_size=batch_size, drop_last=drop_last, **others)
        numbered = enumerate(dataset["prose"])
        self._groups = [[at for at, _ in rows] for _, rows in groupby(numbered, key=lambda row: row[1])]
        self._rows = len(dataset)

    def __iter__(self) -> Iterator[list[int]]:
        chance = torch.Generator().manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self._groups), generator=chance).tolist()
        rows = [row for group in order for row in self._groups[group]]
        for start in range(0, self._rows, self.batch_size):
            batch = rows[start : start + self.batch_size]
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        return self._rows // self.batch_size if self.drop_last else -(-self._rows // self.batch_size)
