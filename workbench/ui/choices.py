"""What a person has chosen in the Compose tab: one value a control, as settings of a search, and as a link.

Knows the controls by name and range; the page draws them. A link that was cut or edited by hand gives the nearest
choices, and a sentence for each that could not be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from workbench import composer

WHOLE = 0  # top-k of the whole vocabulary
LONGEST_LINK = 4000  # characters of prose that a link carries; browsers and servers stop at 8,000
RANGES: dict[str, tuple[float, float, float]] = {  # least, most, step
    "beta": (0, 10, 0.5),
    "beams": (1, 50, 1),
    "top_k": (0, 500, 10),
    "length_penalty": (0, 2, 0.1),
    "no_repeat_ngram": (0, 6, 1),
    "repetition": (0, 10, 0.5),
    "alpha": (0, 5, 0.1),
    "gamma": (0, 5, 0.1),
    "draws": (0, 100, 1),
    "temperature": (0.1, 2, 0.1),
    "guidance": (0, 3, 0.1),
    "seed": (0, 2**31 - 1, 1),
}
HOUSE = composer.HOUSE
COMPARED = (
    "model",
    "mode",
    "beta",
    "beams",
    "top_k",
    "draws",
    "guidance",
    "synchronous",
)  # what a comparison may change
OTHER = "b_"  # before their names, in a link


@dataclass(frozen=True)
class Choices:
    """The controls, in the order in which the page hands them over."""

    prose: str = ""
    model: str = "embedded"
    metre: str = "anuṣṭubh"
    script: str = "devanagari"
    beta: float = HOUSE.beta
    beams: int = HOUSE.beams
    top_k: int = HOUSE.top_k or WHOLE
    yati: str = HOUSE.yati
    mode: str = HOUSE.mode
    length_penalty: float = HOUSE.length_penalty
    no_repeat_ngram: int = HOUSE.no_repeat_ngram
    repetition: float = HOUSE.repetition
    alpha: float = HOUSE.alpha
    gamma: float = HOUSE.gamma
    draws: int = HOUSE.draws
    temperature: float = HOUSE.temperature
    guidance: float = HOUSE.guidance
    synchronous: bool = HOUSE.synchronous
    seed: int = HOUSE.seed

    def settings(self) -> composer.Settings:
        """SettingsError and UnknownMetre say what was expected."""
        plain = ("metre", "yati", "mode", "synchronous")
        whole = ("beams", "no_repeat_ngram", "draws", "seed")
        real = ("beta", "length_penalty", "repetition", "alpha", "gamma", "temperature", "guidance")
        return HOUSE.but(
            **{name: getattr(self, name) for name in plain},
            **{name: _whole(name, getattr(self, name)) for name in whole},
            **{name: getattr(self, name) for name in real},
            top_k=_whole("top_k", self.top_k) or None,
            returned=_whole("beams", self.beams),
        )

    def link(self, other: Choices | None = None) -> str:
        """The query of a link that opens the page with these choices, and compares them with others."""
        told = {name: value for name, value in asdict(self).items() if value != getattr(Choices(), name)}
        told["prose"] = self.prose[:LONGEST_LINK]
        if other:
            told["compare"] = 1
            told |= {OTHER + name: getattr(other, name) for name in COMPARED}
        return urlencode({name: _short(value) for name, value in told.items()})

    def summary(self) -> str:
        """What sets these choices apart, in a line."""
        top_k = f"top-k {self.top_k}" if self.top_k else "whole vocabulary"
        parts = [self.model, self.mode, f"β {self.beta:g}", f"{self.beams} beams", top_k]
        parts += [f"{self.draws} draws"] if self.draws else []
        parts += [f"guidance {self.guidance:g}"] if self.guidance else []
        return " · ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)


def _whole(name: str, value: Any) -> Any:
    """Sliders give 25.0 for 25; what is no whole number is left for Settings to refuse."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(int(value) if isinstance(value, bool) else value)


def options() -> dict[str, list[str]]:
    """What the controls with a list have on it."""
    return {
        "model": list(composer.entries()),
        "metre": [metre.name for metre in composer.all_metres()],
        "script": list(composer.SCRIPTS),
        "yati": ["none", "prefer", "require"],
        "mode": ["pingala", "cd", "free", "paper"],
    }


def paper() -> Choices:
    """The paper's own settings, which ours are compared with unless a person says otherwise."""
    settings = composer.PRESETS["paper"]
    plain = {name: getattr(settings, name) for name in Choices.__dataclass_fields__ if hasattr(settings, name)}
    return Choices(**{**plain, "metre": Choices.metre, "script": Choices.script, "top_k": settings.top_k or WHOLE})


def from_link(query: Mapping[str, str], prefix: str = "", start: Choices | None = None) -> tuple[Choices, list[str]]:
    """The choices a link asks for, and a sentence for each part that could not be read."""
    chosen, notes = start or Choices(), []
    lists = options()
    for field in fields(Choices):
        text = query.get(prefix + field.name)
        if text is None:
            continue
        try:
            value = _read(field.name, text, lists)
        except ValueError as error:
            notes.append(str(error))
            continue
        chosen = replace(chosen, **{field.name: value})
    return chosen, notes


def _read(name: str, text: str, lists: Mapping[str, list[str]]) -> Any:
    if name == "prose":
        return text
    if name == "metre":
        found = composer.find_metre(text)
        return found.name if found else Choices.metre
    if name in lists:
        if text not in lists[name]:
            raise ValueError(f"Expected {name} in the link to be one of {', '.join(lists[name])}; got {text[:40]!r}.")
        return text
    if name == "synchronous":
        return text not in ("0", "False", "false", "")
    least, most, step = RANGES[name]
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise ValueError(f"Expected {name} in the link to be a number from {least:g} to {most:g}; got {text[:40]!r}.")
    return int(number) if step == int(step) else number
