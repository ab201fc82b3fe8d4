"""Models and tokenizers from the Hugging Face Hub or a folder, with or without an adapter, and one sentence when that
cannot be. Nothing is fetched unless a person has asked for that model by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError
from transformers import AutoTokenizer, BitsAndBytesConfig

from workbench.damage import said
from workbench.models.entries import Entry, ModelError
from workbench.models.generator import digest


@contextmanager
def explained(where: str, what: str) -> Iterator[None]:
    """What goes wrong on the way to a model, in a sentence."""
    try:
        yield
    except GatedRepoError as error:
        raise ModelError(
            f"Expected a person who may have {what}; {where} is only for those who accept its licence: do so on its "
            "page on the Hub, then run `hf auth login`."
        ) from error
    except RepositoryNotFoundError as error:
        raise ModelError(f"Expected {what} on the Hub or in a folder; found no {where}.") from error
    except torch.cuda.OutOfMemoryError as error:
        raise ModelError(
            f"Expected a GPU with room for {what}; {where} does not fit into this one's memory."
        ) from error
    except (OSError, ValueError, ImportError) as error:
        if Path(where).is_dir():
            raise ModelError(f"Expected {what} in {where}; it cannot be loaded: {said(error)[:200]}") from error
        raise ModelError(
            f"Expected {what}, which is not on this machine; run `hf download {where}` where there is a network, "
            f"or name a folder in PINGALA_MODELS. ({said(error)[:200]})"
        ) from error


def load_tokenizer(entry: Entry, **options: Any) -> Any:
    with explained(entry.where, f"the tokenizer of {entry.name}"):
        return AutoTokenizer.from_pretrained(entry.where, **options)


def load_model(entry: Entry, kind: Any, trainable: bool = False) -> Any:
    """The model in the precision its machine is good at: 8 bits where asked for, which needs CUDA; else half precision
    on a GPU, single on a CPU."""
    options: dict[str, Any] = {"dtype": torch.bfloat16 if torch.cuda.is_available() else torch.float32}
    if entry.eight_bit:
        if not (torch.cuda.is_available() or entry.allow_cpu):
            raise ModelError(
                f"Expected a CUDA GPU, on which the generator {entry.name} runs in 8 bits, and this machine has none: "
                "run it where there is one, or set allow_cpu = true for it in PINGALA_MODELS and wait."
            )
        eight_bit: Any = BitsAndBytesConfig
        options |= {"quantization_config": eight_bit(load_in_8bit=True), "device_map": "auto"}
    with explained(entry.where, f"the generator {entry.name}"):
        model = kind.from_pretrained(entry.where, **options)
    if torch.cuda.is_available() and not entry.eight_bit:
        model = model.to("cuda")
    if entry.adapter:
        from peft import PeftModel

        with explained(entry.adapter, f"the adapter of {entry.name}"):
            model = PeftModel.from_pretrained(model, entry.adapter, is_trainable=trainable)
            if not trainable and not entry.eight_bit:
                model = model.merge_and_unload()
    return model if trainable else model.eval()


def identity(entry: Entry) -> str:
    """Name, place and, for what lies in folders, the hash of the weights."""
    parts = [entry.name]
    for where in filter(None, (entry.where, entry.adapter)):
        folder = Path(where)
        parts.append(f"{folder.name}#{digest(folder)}" if folder.is_dir() else where)
    return " ".join(parts)
