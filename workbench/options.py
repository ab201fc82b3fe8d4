"""An option: a field of a dataclass that a person may set, declared once with its kind, its bounds and its words.

`declare` makes such a field, `options_of` finds them all, `check_options` refuses what is out of bounds. Every door
(command line, page, link, API, documents) offers what an option says of itself. Knows no door, no search, no training.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from workbench.refusal import Refusal

NAME = "option"  # under which a field's metadata has it
SHORT = 40  # characters of what was given, in a sentence
SEEDS = 2**31 - 1  # what every generator of chance takes
SAID = {"1": True, "true": True, "0": False, "false": False, "": False}


class SettingsError(Refusal):
    """A setting is not what it has to be; the message says what was expected and what was given."""


@dataclass(frozen=True)
class Option:
    """One option. Which bounds there are depends on its kind; `zero` says what 0 means where it stands for None."""

    name: str
    default: Any
    kind: str  # whole, number, switch, choice, text, metre
    label: str  # for people, without terms of the trade
    help: str = ""  # sentences, with the terms and symbols
    group: str = ""  # where doors offer it; without one, they do not
    least: float | None = None
    most: float | None = None
    above: float | None = None
    under: float | None = None
    step: float = 1
    zero: str = ""
    choices: tuple[tuple[str, str], ...] = ()  # words, value
    brief: str = ""  # how a line that compares names its value: "{} beams"
    compared: bool = False  # whether a comparison may change it
    recorded: str = "always"  # when signatures, traces and runs have it: always, where it is changed, or never
    fixed: bool = False  # whether a run that has begun must keep it

    @property
    def flag(self) -> str:
        return self.name.replace("_", "-")

    @property
    def type(self) -> type:
        return {"whole": int, "number": float, "switch": bool}.get(self.kind, str)

    @property
    def expected(self) -> str:
        """What a value has to be, in words."""
        if self.kind == "switch":
            return "true or false"
        if self.kind == "choice":
            return f"one of {', '.join(value for _, value in self.choices)}"
        if self.kind not in ("whole", "number"):
            return f"the name of a {self.kind}" if self.kind == "metre" else "text"
        kind = "a whole number" if self.kind == "whole" else "a number"
        if self.least is not None and self.most is not None:
            return f"{kind} from {_plain(self.least)} to {_plain(self.most)}"
        bounds = (("of at least", self.least), ("above", self.above), ("under", self.under), ("at most", self.most))
        return " ".join(
            [kind, " and ".join(f"{word} {_plain(end)}" for word, end in bounds if end is not None)]
        ).strip()

    @property
    def about(self) -> str:
        """Everything a person has to know of it, in a line."""
        return " ".join(filter(None, [f"{self.label}.", self.help, f"Expected: {self.expected}."]))

    def shown(self, value: Any) -> Any:
        """A value as doors have it, to which None is unknown."""
        return 0 if value is None and self.zero else value

    def parse(self, text: str) -> Any:
        """What a text says, of a link or a command line; text that says nothing of the kind is left for `check`."""
        if self.kind == "switch":
            return SAID.get(text.lower(), text)
        for read in {"whole": (int, float), "number": (float,)}.get(self.kind, ()):
            try:
                return read(text)
            except ValueError:
                continue
        return text

    def check(self, value: Any, where: str = "") -> Any:
        """The value as it is kept, 25 for the 25.0 of a slider; SettingsError for what is out of bounds."""
        if value is None and self.zero:
            return None
        found = self._converted(value)
        if found is None or not self._within(found):
            raise SettingsError(f"Expected {self.name}{where} to be {self.expected}; got {_short(value)}.")
        return None if self.zero and found == 0 else found

    def _converted(self, value: Any) -> Any:
        if self.kind == "switch":
            return value if isinstance(value, bool) else None
        if self.kind not in ("whole", "number"):
            return value if isinstance(value, str) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        try:
            number = float(value)
        except OverflowError:
            return None
        if not math.isfinite(number) or (self.kind == "whole" and not number.is_integer()):
            return None
        return int(value) if self.kind == "whole" else number

    def _within(self, value: Any) -> bool:
        if self.kind == "choice":
            return value in [each for _, each in self.choices]
        if self.kind not in ("whole", "number"):
            return True
        return (
            (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.above is None or value > self.above)
            and (self.under is None or value < self.under)
        )


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def _short(value: Any) -> str:
    """What was given, as far as a sentence has room for it. A number of ten thousand digits cannot even be printed."""
    if isinstance(value, int) and abs(value) >= 10**SHORT:
        return f"a number of more than {SHORT} digits"
    return repr(value[:SHORT]) if isinstance(value, str) else repr(value)[: 2 * SHORT]


# ------------------------------------------------------------------------------------------------------ declaring

KINDS = {bool: "switch", int: "whole", float: "number", str: "text"}


def declare(default: Any, label: str, help: str = "", group: str = "", **more: Any) -> Any:
    """A field of a dataclass that is an option. Its kind is that of its default, unless it is named."""
    kind = "choice" if "choices" in more else KINDS[type(default)]
    return field(default=default, metadata={NAME: {"kind": kind, "label": label, "help": help, "group": group, **more}})


def options_of(kind: type) -> tuple[Option, ...]:
    """The options that a dataclass declares, in its order."""
    return tuple(Option(each.name, each.default, **each.metadata[NAME]) for each in fields(kind))


def check_options(made: Any, but: str = "") -> None:
    """Refuse what is out of bounds; the rest is kept as `check` gives it. For a dataclass's __post_init__."""
    for option in options_of(type(made)):
        if option.name != but:
            object.__setattr__(made, option.name, option.check(getattr(made, option.name)))
