"""The settings of a search, each declared once, checked when they are made; and the two presets, the paper's and ours.

What is declared here is all that a new setting needs to stand on the command line, on the page, in links, in the API
and in docs/SETTINGS.md, with these words and bounds: one set of bounds for all. Knows no door.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from workbench.options import SEEDS, SettingsError, check_options, declare, options_of
from workbench.prosody.automaton import LETTERS, YATI
from workbench.prosody.metres import Metre, find

__all__ = ["HOUSE", "OFFERED", "PAPER", "PRESETS", "Settings", "SettingsError"]

MAIN, MORE = "main", "more"  # at hand, or behind "More"


@dataclass(frozen=True)
class Settings:
    """Everything a search can be told. The defaults are the paper's."""

    metre: str | Metre = declare(
        "anuṣṭubh", "Metre", "By name; diacritics may be left out: vasantatilaka.", MAIN, kind="metre"
    )
    script: str = declare(
        "slp1", "Script of the generator", "Which letters the generator writes; every generator has its own.",
        choices=tuple((name, name) for name in LETTERS),
    )  # fmt: skip
    mode: str = declare(
        "pingala", "How the metre is kept", "Mode: pingala masks what would break the metre and rewards finished "
        "quarters (β); cd, constrained decoding, masks only; paper takes the paper's own steps; free knows no metre.",
        MORE,
        choices=(("Mask and reward (Pingala)", "pingala"), ("Mask only (constrained decoding)", "cd"),
                 ("The paper's own steps", "paper"), ("Not at all", "free")),
        brief="{}", compared=True,
    )  # fmt: skip
    beta: float = declare(
        5.0, "Reward for a finished quarter verse", "β, the paper's constraint weight: added to a verse in the "
        "making for every complete pāda.", MAIN,
        least=0, most=10, step=0.5, brief="β {}", compared=True,
    )  # fmt: skip
    top_k: int | None = declare(
        100, "Word pieces considered at each step", "Top-k: the likeliest tokens; 0 for the whole vocabulary.", MAIN,
        least=0, most=500, step=10, zero="whole vocabulary", brief="top-k {}", compared=True,
    )  # fmt: skip
    yati: str = declare(
        "none", "Words end where quarter verses do", "Yati, the pause: left as it comes, preferred, or required at the "
        "end of every pāda.", MORE,
        choices=tuple(zip(("As it comes", "Preferred", "Required"), YATI, strict=True)),
    )  # fmt: skip
    max_cluster: int = declare(
        3, "Longest consonant cluster", "Half-akṣaras in one conjunct, at most: kārtsnya has four.", MORE,
        least=1, most=5,
    )  # fmt: skip
    beams: int = declare(
        25, "Verses grown side by side", "Beams; as many candidates come back.", MAIN,
        least=1, most=50, brief="{} beams", compared=True,
    )  # fmt: skip
    returned: int = declare(25, "Candidates that come back", "As many as there are beams.", least=1, most=50)
    length_penalty: float = declare(
        1.0, "Correction for length", "Length penalty: a finished verse's score is divided by its number of tokens to "
        "this power. 0 leaves it as it is, since all verses of one metre are equally long.",
        MORE, least=0, most=2, step=0.1,
    )  # fmt: skip
    no_repeat_ngram: int = declare(
        3, "Shortest passage that may not come twice", "No-repeat n-gram, in word pieces: a passage of so many tokens "
        "stands in a verse only once. 0 lets any come again.", MORE, least=0, most=6,
    )  # fmt: skip
    repetition: float = declare(
        0.0, "Cost of saying a word again", "Repetition penalty: what a word costs that the verse has already, in "
        "whatever form, in nats (natural units of log-probability); twice as much where it has it twice.", MORE,
        least=0, most=10, step=0.5,
    )  # fmt: skip
    alike: int = declare(
        0, "Verses that may begin alike", "How many of the verses in the making, and of the candidates, may have the "
        "same first quarter (pāda). 0 sets no bound, and then nearly all come to share it.", MORE,
        least=0, most=50, brief="{} begin alike", compared=True, recorded="changed",
    )  # fmt: skip
    groups: int = declare(
        1, "Groups that avoid each other", "Diverse beams: the verses grow in so many groups, each put off by what "
        "those before it have just chosen. 1 is no grouping.", MORE, least=1, most=50,
    )  # fmt: skip
    diversity: float = declare(
        0.5, "How far groups avoid each other", "Diversity penalty, in nats: what a group gives up for choosing what "
        "another has. Only with two groups or more.", MORE, least=0, most=20, step=0.5,
    )  # fmt: skip
    synchronous: bool = declare(
        False, "Compare only what has come equally far", "Pāda-synchronous beams: places are shared equally among "
        "verses in the making with equally many pādas done.", MORE, brief="equal pādas", compared=True,
    )  # fmt: skip
    samples: int = declare(
        0, "Verses drawn at random instead", "Sampling in place of beams: so many verses are drawn. 0 searches with "
        "beams.", MORE, least=0, most=100,
    )  # fmt: skip
    draws: int = declare(
        0, "Verses drawn at random as well", "Sampling beside the beams: so many verses are drawn and weighed with the "
        "others.", MORE, least=0, most=100, brief="{} draws", compared=True,
    )  # fmt: skip
    temperature: float = declare(
        1.0, "Daring of the random draws", "Temperature: under 1 the likely is drawn more often than the model would "
        "have it, above 1 the unlikely.", MORE, least=0.1, most=2, step=0.1,
    )  # fmt: skip
    seed: int = declare(
        0, "Number that decides the random draws", "Seed: the same number draws the same verses again.", MORE,
        least=0, most=SEEDS,
    )  # fmt: skip
    guidance: float = declare(
        0.0, "Pull towards the prose", "Guidance (classifier-free): how far to move away from what would be said "
        "without the prose. 0 does not.", MORE, least=0, most=3, step=0.1, brief="guidance {}", compared=True,
    )  # fmt: skip
    alpha: float = declare(
        1.0, "Cost of a syllable too many or too few", "α, in nats: decides between verses only where none is full.",
        MORE, least=0, most=5, step=0.1,
    )  # fmt: skip
    gamma: float = declare(
        1.0, "Worth of a right quarter verse", "γ, in nats: decides between verses only where none is full.",
        MORE, least=0, most=5, step=0.1,
    )  # fmt: skip
    # Who has ranked is told beside a run's settings and in its signature (`ranked by`), not among them.
    rank: str = declare(
        "meaning", "Order of the candidates", "Ranking: by meaning, as the judges of meaning have it, or by model, "
        "in the generator's own order (log-probability).", MORE,
        choices=(("By meaning", "meaning"), ("The generator's own", "model")), recorded="never",
    )  # fmt: skip

    def __post_init__(self) -> None:
        self.found_metre()
        check_options(self, but="metre")
        if self.groups > self.beams:
            raise SettingsError(f"Expected at most as many groups as beams, {self.beams}; got {self.groups}.")

    def found_metre(self) -> Metre:
        if isinstance(self.metre, Metre):
            return self.metre
        return find(OPTIONS["metre"].check(self.metre))

    def searches(self) -> tuple[Settings, ...]:
        """The searches these settings ask for: one, or beams and then draws."""
        if not self.draws or self.samples:
            return (self.but(draws=0),)
        return self.but(draws=0), self.but(draws=0, samples=self.draws)

    def but(self, **changes: Any) -> Settings:
        return replace(self, **changes)

    def asked(self, changes: Mapping[str, Any]) -> Settings:
        """The same with what somebody asks for at a door: as many candidates come back as there are beams."""
        return self.but(**changes, **({"returned": changes["beams"]} if "beams" in changes else {}))

    def recorded(self) -> dict[str, Any]:
        """What signatures, traces and runs tell of a search. A setting that came after the first runs is declared with
        `recorded="changed"`: as long as it is at its default, they are told as they always were."""
        usual = {name: option.default for name, option in OPTIONS.items() if option.recorded == "changed"}
        values = {name: value for name, value in asdict(self).items() if OPTIONS[name].recorded != "never"}
        return {name: value for name, value in values.items() if name not in usual or value != usual[name]}


OPTIONS = {option.name: option for option in options_of(Settings)}
# What doors offer, what is at hand before what is behind "More".
OFFERED = tuple(option for group in (MAIN, MORE) for option in OPTIONS.values() if option.group == group)
PAPER = Settings()
# Chosen on dev (docs/settings-on-dev.tsv). With the mask exact, β no longer buys metre: alone it makes beams race to
# the pāda's end, and stock phrases win. Compared at equal pādas, and guided away from what would be said without the
# prose, beams keep what they mean under the paper's β and top-k too. A small model says a word again where it knows no
# other; at this cost verses do so as seldom as the poets'. All verses of a metre are equally long, so that length has
# nothing to be normalised for. Where at most six begin alike, there are verses to choose from: a careful reader, told
# nothing, gave those that the judge then chose 0.10 of 5 points more than where all might (63 proses of dev and of each
# day, 95 % interval -0.03 to 0.22), and 0.18 more than before words were found again in pieces (0.06 to 0.32).
HOUSE = Settings(length_penalty=0.0, synchronous=True, guidance=0.5, repetition=4.0, alike=6)
PRESETS = {"paper": PAPER, "house": HOUSE}
