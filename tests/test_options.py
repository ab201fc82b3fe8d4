"""An option by itself: what it reads, what it refuses and in which words; and what every declaration has to have."""

import math
import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.decoding.settings import OFFERED, OPTIONS, Settings
from workbench.options import SettingsError, check_options, declare, options_of
from workbench.training.recipes import RECIPES

DECLARED = [(kind, option) for kind in (Settings, *RECIPES.values()) for option in options_of(kind)]


@dataclass(frozen=True)
class Example:
    many: int = declare(5, "How many", least=1, most=9)
    part: float = declare(0.5, "Which part", least=0, under=1)
    rate: float = declare(0.5, "How fast", above=0)
    some: int | None = declare(7, "How many are seen", least=0, most=9, zero="all")
    on: bool = declare(False, "Whether")
    kind: str = declare("a", "Which", choices=(("A", "a"), ("B", "b")))
    name: str = declare("", "Who")

    def __post_init__(self):
        check_options(self)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"many": 9}, 9), ({"many": 3.0}, 3), ({"part": 0}, 0.0), ({"rate": 10**9}, 1e9), ({"some": 0}, None),
        ({"some": None}, None), ({"some": 0.0}, None), ({"on": True}, True), ({"kind": "b"}, "b"), ({"name": "x"}, "x"),
    ],
)  # fmt: skip
def test_what_fits_is_kept_as_its_kind(given, kept):
    ((name, _),) = given.items()
    value = getattr(Example(**given), name)
    assert value == kept and type(value) is type(kept)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"many": 0}, "Expected many to be a whole number from 1 to 9; got 0."),
        ({"many": 1.5}, "Expected many to be a whole number from 1 to 9; got 1.5."),
        ({"many": True}, "Expected many to be a whole number from 1 to 9; got True."),
        ({"many": "3"}, "Expected many to be a whole number from 1 to 9; got '3'."),
        ({"many": None}, "Expected many to be a whole number from 1 to 9; got None."),
        ({"many": 1e308}, "Expected many to be a whole number from 1 to 9; got 1e+308."),
        ({"many": 10**5000}, "Expected many to be a whole number from 1 to 9; got a number of more than 40 digits."),
        ({"part": 1}, "Expected part to be a number of at least 0 and under 1; got 1."),
        ({"part": math.nan}, "Expected part to be a number of at least 0 and under 1; got nan."),
        ({"rate": 0.0}, "Expected rate to be a number above 0; got 0.0."),
        ({"rate": math.inf}, "Expected rate to be a number above 0; got inf."),
        ({"rate": 10**400}, "Expected rate to be a number above 0; got a number of more than 40 digits."),
        ({"some": -1}, "Expected some to be a whole number from 0 to 9; got -1."),
        ({"on": 1}, "Expected on to be true or false; got 1."),
        ({"kind": "c" * 1000}, f"Expected kind to be one of a, b; got '{'c' * 40}'."),
        ({"kind": ["a"]}, "Expected kind to be one of a, b; got ['a']."),
        ({"name": 5}, "Expected name to be text; got 5."),
    ],
)
def test_what_does_not_fit_gets_a_sentence(given, sentence):
    with pytest.raises(SettingsError) as refusal:
        Example(**given)
    assert str(refusal.value) == sentence


# What only those know who know decoders: words, and the paper's letters.
TRADE = re.compile(r"\b(beams?|top-k|tokens?|n-?grams?|penalt(y|ies)|temperature|nats?|logits?|[αβγ])\b", re.IGNORECASE)
# Where the paper, or everybody, has a name for it: it stands in the help.
NAMED = {
    "beta": "β", "top_k": "Top-k", "beams": "Beams", "length_penalty": "Length penalty", "no_repeat_ngram": "n-gram",
    "repetition": "Repetition penalty", "diversity": "Diversity penalty", "temperature": "Temperature",
    "alpha": "α", "gamma": "γ", "synchronous": "Pāda-synchronous beams",
}  # fmt: skip


@pytest.mark.parametrize("option", OFFERED, ids=lambda option: option.name)
def test_a_plain_label_has_no_term_of_the_trade(option):
    for plain in (option.label, option.zero, *(words for words, _ in option.choices)):
        assert TRADE.search(plain) is None, plain


@pytest.mark.parametrize(("name", "term"), NAMED.items())
def test_the_term_stands_in_the_help(name, term):
    assert term in OPTIONS[name].help


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.text()),
)


@given(st.sampled_from(DECLARED), ANYTHING)
def test_whatever_comes_is_kept_within_bounds_or_refused(declared, value):
    _, option = declared
    for asked in (value, option.parse(value) if isinstance(value, str) else value):
        try:
            kept = option.check(asked)
        except SettingsError as refusal:
            assert str(refusal).startswith(f"Expected {option.name} to be {option.expected}; got ")
        else:
            assert option.check(kept) == kept, "what is kept can be given again"


@pytest.mark.parametrize(("kind", "option"), DECLARED, ids=lambda each: getattr(each, "name", ""))
def test_a_declaration_has_words_and_bounds_and_a_default_within_them(kind, option):
    assert option.label and not option.label.endswith(".") and (not option.help or option.help.endswith("."))
    assert "|" not in option.about and "\n" not in option.about, "it stands in a table and in one line of help"
    assert option.check(option.default) == option.default
    if option.kind in ("whole", "number"):
        assert option.least is not None or option.above is not None
        assert option.most is not None or option.under is not None
    if option.kind == "number" and kind is Settings:
        assert option.default / option.step == pytest.approx(round(option.default / option.step)), "a slider shows it"
