"""The trace's form: what is where in the JSON document of a search, and reading one back.

Knows no models and loads none, so that a kept search can be looked at anywhere.
"""

from __future__ import annotations

import json
from typing import Any

import jsonschema

from workbench.prosody.metres import UnknownMetre, find
from workbench.refusal import Refusal

VERSION = 1

_NUMBER = {"type": "number"}
_COUNT = {"type": "integer", "minimum": 0}
_BEAM = {
    "type": "object",
    "required": ["id", "parent", "text", "weights", "open", "wanted", "padas", "log_probability", "added", "score",
                 "milestones"],
    "properties": {
        "id": {"type": "string"}, "parent": {"type": ["string", "null"]}, "text": {"type": "string"},
        "weights": {"type": "string", "pattern": "^[lg]*$"}, "open": {"type": "boolean"},
        "wanted": {"enum": ["", "l", "g", "gl"]}, "padas": {**_COUNT, "maximum": 4},
        "log_probability": _NUMBER, "added": _NUMBER, "score": _NUMBER,
        "milestones": {"type": "array", "items": {
            "type": "object", "required": ["pada", "step", "score"],
            "properties": {"pada": {"enum": [1, 2, 3, 4]}, "step": _COUNT, "score": _NUMBER},
        }},
    },
}  # fmt: skip
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["version", "settings", "metre", "script", "steps"],
    "properties": {
        "version": {"const": VERSION}, "settings": {"type": "object"}, "metre": {"type": "string"},
        "script": {"enum": ["slp1", "devanagari"]},
        "prose": {"type": "string"}, "signature": {"type": "string"}, "draws": {"$ref": "#"},
        "steps": {"type": "array", "items": {
            "type": "object", "required": ["number", "beams", "finished", "dropped", "looked"],
            "properties": {
                "number": _COUNT,
                "beams": {"type": "array", "items": _BEAM}, "finished": {"type": "array", "items": _BEAM},
                "dropped": {"type": "array", "items": {
                    "type": "object", "required": ["id", "reason"],
                    "properties": {"id": {"type": "string"}, "reason": {"type": "string"}},
                }},
                "looked": {
                    "type": "object", "required": ["tokens", "masked", "reasons", "best_refused"],
                    "properties": {
                        "tokens": _COUNT, "masked": _COUNT,
                        "reasons": {"type": "object", "additionalProperties": _COUNT},
                        "best_refused": {"type": ["object", "null"], "required": ["text", "log_probability", "reason"]},
                    },
                },
            },
        }},
    },
}  # fmt: skip

MOST_BYTES = 50_000_000


class TraceError(Refusal):
    """A document is no trace; the message says what was expected."""


def read_document(text: str | bytes) -> dict[str, Any]:
    """A trace from its JSON."""
    if len(text) > MOST_BYTES:
        raise TraceError(f"Expected a trace of at most {MOST_BYTES // 10**6} MB; got {len(text) // 10**6} MB.")
    try:
        document: dict[str, Any] = json.loads(text)
        jsonschema.validate(document, SCHEMA)
        find(document["metre"])
    except (ValueError, RecursionError) as error:  # UnknownMetre and bad JSON are ValueErrors
        what = str(error) if isinstance(error, UnknownMetre) else "this is no JSON"
        raise TraceError(f"Expected a trace, as the workbench writes it: {what}.") from error
    except jsonschema.ValidationError as error:
        where = "/".join(map(str, error.absolute_path)) or "the document"
        raise TraceError(f"Expected a trace, as the workbench writes it; {where} is not as it should be.") from error
    return document
