"""Which rows make a batch, for sentence-transformers' trainers: those of one prose together, so that the prose is read
once for all of them; or those of like length, so that little is read but what is there.

Groups, and batches, are shuffled anew in every epoch.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import torch
from sentence_transformers.base.sampler import DefaultBatchSampler


class LikeLengths(DefaultBatchSampler):
    """Batches of verses about equally long, drawn from pools of POOL batches: a row has other company in each epoch."""

    POOL = 16

    def __init__(self, dataset: Any, batch_size: int, drop_last: bool, **others: Any) -> None:
        super().__init__(dataset, batch_size=batch_size, drop_last=drop_last, **others)
        self._lengths = [len(verse) for verse in dataset["verse"]]

    def __iter__(self) -> Iterator[list[int]]:
        chance = torch.Generator().manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self._lengths), generator=chance).tolist()
        pool = self.POOL * self.batch_size
        batches = []
        for start in range(0, len(order), pool):
            rows = sorted(order[start : start + pool], key=lambda row: self._lengths[row])
            batches += [rows[at : at + self.batch_size] for at in range(0, len(rows), self.batch_size)]
        for at in torch.randperm(len(batches), generator=chance).tolist():
            if len(batches[at]) == self.batch_size or not self.drop_last:
                yield batches[at]

    def __len__(self) -> int:
        return len(self._lengths) // self.batch_size if self.drop_last else -(-len(self._lengths) // self.batch_size)


class GroupedBatches(DefaultBatchSampler):
    """Groups are runs of rows with the same `prose`. Within a group nothing moves."""

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
