"""What a person has chosen in the Compose tab: prose, model, script to read in, the settings of the search, and wishes;
as the controls have it, and as a link.

Knows what the composer offers, none of it by name but the metre. A link that was cut or edited by hand gives the
nearest choices, and a sentence for each part that could not be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from workbench import composer
from workbench.ui.scripts import SHOWN

LONGEST_LINK = 4000  # characters of prose that a link carries; browsers and servers stop at 8,000
OFFERED = {option.name: option for option in composer.OFFERED}
NAMES = ("prose", "model", "script", *OFFERED, "wishes")  # the controls, in the order in which the page hands them over
COMPARED = ("model", *(option.name for option in OFFERED.values() if option.compared))  # what a comparison may change
OTHER = "b_"  # before their names, in a link
IN_LINK = " in the link"


@dataclass(frozen=True)
class Choices:
    prose: str = ""
    model: str = "embedded"
    script: str = "devanagari"
    settings: composer.Settings = composer.HOUSE
    wishes: tuple[composer.Wish, ...] = ()

    def but(self, values: Mapping[str, Any]) -> Choices:
        """The same with these values of controls; SettingsError and UnknownMetre say what was expected."""
        own = {name: value for name, value in values.items() if name not in OFFERED and name != "wishes"}
        for name, value in own.items():
            if not isinstance(value, str):
                raise composer.SettingsError(f"Expected {name} to be text; got {str(value)[:40]}.")
        for name, allowed in (("script", composer.SCRIPTS), ("model", composer.offered_entries())):
            if name in own:
                _one_of(name, own[name], allowed)
        settings = self.settings.asked({name: value for name, value in values.items() if name in OFFERED})
        wishes = composer.read_wishes(values["wishes"] or ()) if "wishes" in values else self.wishes
        return replace(self, **own, settings=settings, wishes=wishes)

    def controls(self) -> dict[str, Any]:
        """The value of each control."""
        values = {name: option.shown(getattr(self.settings, name)) for name, option in OFFERED.items()}
        values["metre"] = self.settings.found_metre().name
        wishes = [wish.line for wish in self.wishes]
        return {"prose": self.prose, "model": self.model, "script": self.script, **values, "wishes": wishes}

    def link(self, other: Choices | None = None) -> str:
        """The query of a link that opens the page with these choices, and compares them with others."""
        usual = Choices().controls()
        query = {name: value for name, value in self.controls().items() if value != usual[name]}
        query["prose"] = self.prose[:LONGEST_LINK]
        if other:
            query["compare"] = 1
            query |= {OTHER + name: value for name, value in other.controls().items() if name in COMPARED}
        return urlencode({name: _short(value) for name, value in query.items()})

    def summary(self) -> str:
        """What sets these choices apart, in a line: what is off, like no draws or no guidance, is not said."""
        parts = [self.model]
        for option in (OFFERED[name] for name in COMPARED if name in OFFERED):
            value = getattr(self.settings, option.name)
            if value is None:
                parts.append(option.zero)
            elif value or option.group == "main":
                parts.append(option.brief.format(_short(value)))
        return " · ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)


def differences(one: Choices, other: Choices) -> list[str]:
    """Each setting that is not the same in both, with its value in the first. What is off in one alone is named too."""
    ours, others = one.controls(), other.controls()
    names = [name for name in NAMES if name not in ("prose", "script") and ours[name] != others[name]]
    return [f"{OFFERED[name].label if name in OFFERED else name}: {_readable(name, ours[name])}" for name in names]


def _readable(name: str, value: Any) -> str:
    """A control's value as a person reads it."""
    option = OFFERED.get(name)
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return "; ".join(value) or "none"
    if option and option.kind == "choice":
        return str({each: label for label, each in option.choices}.get(value, value))
    return _short(value)


def _short(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(value)
    if isinstance(value, bool):
        return str(int(value))
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _one_of(name: str, value: str, allowed: Mapping[str, Any], where: str = "") -> None:
    if value not in allowed:
        raise composer.SettingsError(f"Expected {name}{where} to be one of {', '.join(allowed)}; got {value[:40]!r}.")


def paper() -> Choices:
    """The paper's own settings, which ours are compared with unless a person says otherwise."""
    return Choices(settings=composer.PRESETS["paper"])


def from_link(query: Mapping[str, str], prefix: str = "", start: Choices | None = None) -> tuple[Choices, list[str]]:
    """The choices a link asks for, and a sentence for each part that could not be read."""
    chosen, notes = start or Choices(), []
    for name in NAMES:
        text = query.get(prefix + name)
        if text is None:
            continue
        try:
            chosen = chosen.but({name: _read(name, text)})
        except ValueError as error:
            notes.append(str(error))
    return chosen, notes


def _read(name: str, text: str) -> Any:
    if name == "metre":
        found = composer.find_metre(text)
        return found.name if found else composer.HOUSE.metre
    if name == "wishes":
        return text.splitlines()
    if name in OFFERED:
        return OFFERED[name].check(OFFERED[name].parse(text), IN_LINK)
    if name != "prose":
        _one_of(name, text, composer.offered_entries() if name == "model" else SHOWN, IN_LINK)
    return text
