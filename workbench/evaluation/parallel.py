"""Much work over many processes: here, in several processes of this machine, on a Ray cluster, or under accelerate.

Tasks are independent and may come back in any order. Knows nothing of what they are.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, TypeVar

from workbench.corpora import CorpusError
from workbench.paths import PACKAGE

Task = TypeVar("Task")
Result = TypeVar("Result")
RETRIES = 20  # of a task whose worker was lost, before it is given up
LOCAL = "local"


@dataclass(frozen=True)
class Parallelism:
    """Where the work is done: in so many processes here, or on a Ray cluster at an address (`local` starts one)."""

    workers: int = 1
    ray: str = ""
    gpus: float = 0.0  # of one GPU, for each Ray worker


IN_THIS_PROCESS = Parallelism()


def run_parallel(
    do: Callable[[Task], Result], tasks: Sequence[Task], where: Parallelism = IN_THIS_PROCESS
) -> Iterator[Result]:
    if launched():
        yield from _under_accelerate(do, tasks)
    elif where.ray:
        yield from _on_ray(do, tasks, where)
    elif where.workers > 1:
        with ProcessPoolExecutor(where.workers, get_context("spawn"), initializer=_one_thread) as pool:
            waiting = [pool.submit(do, task) for task in tasks]
            for done in as_completed(waiting):
                yield done.result()
    else:
        yield from map(do, tasks)


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def launched() -> bool:
    """Whether `accelerate launch` started us, among others."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def is_first() -> bool:
    return os.environ.get("RANK", "0") == "0"


def _under_accelerate(do: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """Every process does its share; each gets all."""
    from accelerate import PartialState
    from accelerate.utils import gather_object

    state = PartialState()
    found: list[Result] = gather_object([do(task) for task in tasks[state.process_index :: state.num_processes]])
    return found


def _on_ray(do: Callable[[Task], Result], tasks: Sequence[Task], where: Parallelism) -> Iterator[Result]:
    """A task runs in any worker of the cluster, which keeps the model it has loaded for the next; where a worker is
    lost, Ray gives its task to another. Only as many tasks are out as keep every worker busy: a run that is stopped
    loses little."""
    import ray as installed

    ray: Any = installed
    paths = os.pathsep.join(dict.fromkeys([str(PACKAGE.parent), *filter(None, sys.path)]))
    known = {name: value for name, value in os.environ.items() if name.startswith("PINGALA_")}
    environment = {"env_vars": {**known, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}}
    address = {} if where.ray == LOCAL else {"address": where.ray}
    try:
        ray.init(**address, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR,
                 runtime_env=environment)  # fmt: skip
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise CorpusError(f"Expected a Ray cluster at {where.ray}; {str(error).strip().splitlines()[0]}") from error
    try:
        remote: Any = ray.remote(num_cpus=1, num_gpus=where.gpus, max_retries=RETRIES)(do)
        most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        left = list(reversed(tasks))
        out: list[Any] = []
        while left or out:
            while left and len(out) < most:
                out.append(remote.remote(left.pop()))
            done, out = ray.wait(out, num_returns=1)
            yield from ray.get(done)
    finally:
        ray.shutdown()
