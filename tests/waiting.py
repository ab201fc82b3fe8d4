"""Coroutines run to their end, in a thread of their own: Playwright's own loop runs in the thread of the tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Made = TypeVar("Made")


def run_async(work: Coroutine[Any, Any, Made]) -> Made:
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, work).result()
