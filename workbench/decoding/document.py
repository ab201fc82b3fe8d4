"""The trace's form: what is where in the JSON document of a search, and reading one back.

Knows no models and loads none, so that a kept search can be looked at anywhere.
"""

from __future__ import annotations

import json
import math
from typing import Any

import jsonschema

from workbench.prosody.metres import UnknownMetre, find
from workbench.refusal import Refusal

VERSION = 1

# What a search can come to, generously: beyond it nothing was written by one, and a page could not show it.
_FAR, _MANY = 1e6, 10**9
_NUMBER = {"type": "number", "minimum": -_FAR, "maximum": _FAR}
_COUNT = {"type": "integer", "minimum": 0, "maximum": _MANY}
_NAME = {"type": "string", "maxLength": 200}
_VERSE = {"type": "string", "maxLength": 8_000}
_PASSAGE = {"type": "string", "maxLength": 100_000}
_MOST_STEPS, _MOST_BEAMS, _MOST_REASONS = 5_000, 500, 100
_BEAM = {
    "type": "object",
    "required": ["id", "parent", "text", "weights", "open", "wanted", "padas", "log_probability", "added", "score",
                 "milestones"],
    "properties": {
        "id": _NAME, "parent": {**_NAME, "type": ["string", "null"]}, "text": _VERSE,
        "weights": {"type": "string", "pattern": "^[lg]*$", "maxLength": 2_000}, "open": {"type": "boolean"},
        "wanted": {"enum": ["", "l", "g", "gl"]}, "padas": {**_COUNT, "maximum": 4},
        "log_probability": _NUMBER, "added": _NUMBER, "score": _NUMBER,
        "milestones": {"type": "array", "maxItems": 4, "items": {
            "type": "object", "required": ["pada", "step", "score"],
            "properties": {"pada": {"enum": [1, 2, 3, 4]}, "step": _COUNT, "score": _NUMBER},
        }},
    },
}  # fmt: skip
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["version", "settings", "metre", "script", "steps"],
    "properties": {
        "version": {"const": VERSION}, "metre": _NAME,
        "settings": {"type": "object", "required": ["beta"], "properties": {"beta": _NUMBER, "samples": _COUNT}},
        "script": {"enum": ["slp1", "devanagari"]},
        "prose": _PASSAGE, "signature": _PASSAGE, "draws": {"$ref": "#"},
        "steps": {"type": "array", "maxItems": _MOST_STEPS, "items": {
            "type": "object", "required": ["number", "beams", "finished", "dropped", "looked"],
            "properties": {
                "number": _COUNT,
                "beams": {"type": "array", "maxItems": _MOST_BEAMS, "items": _BEAM},
                "finished": {"type": "array", "maxItems": _MOST_BEAMS, "items": _BEAM},
                "dropped": {"type": "array", "maxItems": _MOST_BEAMS, "items": {
                    "type": "object", "required": ["id", "reason"],
                    "properties": {"id": _NAME, "reason": _NAME},
                }},
                "looked": {
                    "type": "object", "required": ["tokens", "masked", "reasons", "best_refused"],
                    "properties": {
                        "tokens": _COUNT, "masked": _COUNT,
                        "reasons": {
                            "type": "object", "additionalProperties": _COUNT, "maxProperties": _MOST_REASONS,
                            "propertyNames": _NAME,
                        },
                        "best_refused": {
                            "type": ["object", "null"], "required": ["text", "log_probability", "reason"],
                            # A token that cannot come at all has a logarithm without end.
                            "properties": {"text": _NAME, "reason": _NAME,
                                           "log_probability": {"type": "number", "maximum": _FAR}},
                        },
                    },
                },
            },
        }},
    },
}  # fmt: skip

MOST_BYTES = 50_000_000


class TraceError(Refusal):
    """A document is no trace; the message says what was expected."""


def _constant(name: str) -> float:
    """Of what is no JSON but Python writes all the same, only what a search may have come to."""
    if name == "-Infinity":
        return -math.inf
    raise ValueError(name)


def read_document(text: str | bytes) -> dict[str, Any]:
    """A trace from its JSON."""
    if len(text) > MOST_BYTES:
        raise TraceError(f"Expected a trace of at most {MOST_BYTES // 10**6} MB; got {len(text) // 10**6} MB.")
    try:
        document: dict[str, Any] = json.loads(text, parse_constant=_constant)
        json.dumps(document, ensure_ascii=False).encode("utf-8")  # a lone surrogate could be neither shown nor kept
        jsonschema.validate(document, SCHEMA)
        find(document["metre"])
    except (ValueError, RecursionError) as error:  # UnknownMetre and bad JSON are ValueErrors
        what = str(error) if isinstance(error, UnknownMetre) else "this is no JSON"
        raise TraceError(f"Expected a trace, as the workbench writes it: {what}.") from error
    except jsonschema.ValidationError as error:
        where = "/".join(map(str, error.absolute_path)) or "the document"
        raise TraceError(f"Expected a trace, as the workbench writes it; {where} is not as it should be.") from error
    return document
