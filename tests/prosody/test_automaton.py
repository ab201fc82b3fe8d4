"""The automaton: what it accepts, what it knows of a prefix, and that nothing alive is ever stranded."""

import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.verses import VERSES, VIPULAS, halves
from workbench.prosody import sounds
from workbench.prosody.automaton import DEAD, LETTERS, compile_metre
from workbench.prosody.identify import identify
from workbench.prosody.metres import all_metres, find
from workbench.prosody.scansion import weigh
from workbench.prosody.script import write
from workbench.verification.agreement import prove, walk, walked_verdict

ANUSTUBH = find("anuṣṭubh")
GITA = VERSES["anuṣṭubh"][1]
EVERY_KIND = ("anuṣṭubh", "vasantatilakā", "puṣpitāgrā", "udgatā", "upajāti (triṣṭubh-jagatī)", "āryā")


@pytest.mark.parametrize("name", VERSES)
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
@pytest.mark.parametrize("unit", ["characters", "bytes"])
def test_real_verses_are_accepted_and_all_their_prefixes_alive(name, script, unit):
    automaton = compile_metre(find(name), script, unit)
    text = write(VERSES[name][1], script)
    assert automaton.accepts(text)
    units = text.encode() if unit == "bytes" else text
    states = [automaton.read(units[:end]) for end in range(len(units) + 1)]
    assert DEAD not in states
    for state, following in zip(states, states[1:], strict=False):
        assert automaton.to_end[state] <= automaton.to_end[following] + 1
        assert automaton.padas[following] >= automaton.padas[state]


@pytest.mark.parametrize("form", VIPULAS)
def test_vipulas_are_accepted(form):
    assert compile_metre(ANUSTUBH).accepts(VIPULAS[form])


@pytest.mark.parametrize(
    "broken",
    [
        GITA.replace("yuyutsavaH", "yuDyutsavaH"),  # a guru where a laghu must be
        GITA.replace("samavetA ", ""),  # four syllables short
        GITA.replace("saYjaya", "saYjayavara"),  # two too many
        GITA.replace(". ", " "),  # no daṇḍa in the middle
        GITA.replace("..", "..."),
        GITA.replace(" ", "  ", 1),
        GITA.replace("kurukzetre", "kurukzetre t", 1),  # a word without a vowel
        GITA.replace("saYjaya", "saYjayH"),  # a visarga without a vowel
        GITA + "a",
        "",
    ],
)
def test_broken_verses_are_not(broken):
    assert not compile_metre(ANUSTUBH).accepts(broken)


@pytest.mark.parametrize(
    "spelled",
    [
        GITA.replace("..", ""),  # the closing daṇḍas may be left out
        GITA.replace("..", " .."),
        GITA.replace(". ", " . "),
        GITA.replace(". ", "\n"),
        GITA.replace(". ", ".\n"),
        " " + GITA,  # as a tokenizer with leading spaces writes it
        VIPULAS["ra-vipulā"],  # prasannātmā''tmavān: two avagrahas
        "harzaraSmiBirudyotaM tasyAntaHpuramAbaBO. SAradasyABirAmasya candrasyeva naBoM'SuBiH..",
    ],
)
def test_spellings_of_marks(spelled):
    assert compile_metre(ANUSTUBH).accepts(spelled)


@pytest.mark.parametrize(
    ("prefix", "known"),
    [
        #                 syllables, pādas, open, wanted, may end
        ("", (0, 0, False, "gl", False)),
        ("Da", (1, 0, True, "gl", False)),  # dha: the next letters tell
        ("Dar", (1, 0, True, "gl", False)),
        ("Darm", (1, 0, False, "gl", False)),  # rm: settled
        ("Darmakzetre ", (4, 0, False, "gl", False)),
        ("Darmakzetre ku", (5, 0, True, "gl", False)),  # pathyā or na-vipulā: l; the others: g
        ("Darmakzetre kurukze", (7, 0, False, "gl", False)),
        ("Darmakzetre kurukzetre ", (8, 1, False, "gl", False)),
        ("Darmakzetre kurukzetre samavetA yu", (13, 1, True, "l", False)),  # the cadence of the even pāda
        ("Darmakzetre kurukzetre samavetA yuyutsavaH", (16, 2, False, "", False)),
        ("Darmakzetre kurukzetre samavetA yuyutsavaH.", (16, 2, False, "gl", False)),
        (GITA[:-2], (32, 4, True, "gl", True)),  # sañjaya: the last a is open, and free
        (GITA, (32, 4, False, "", True)),
    ],
)
def test_what_is_known_of_a_prefix(prefix, known):
    progress = compile_metre(ANUSTUBH).progress(prefix)
    assert progress.alive
    assert (progress.syllables, progress.padas, progress.open, progress.wanted, progress.may_end) == known


def test_devanagari_waits_for_the_vowel():
    automaton = compile_metre(ANUSTUBH, "devanagari")
    gita = write(GITA, "devanagari")
    # द्य ends in an a that a sign might still replace: it counts once something else follows.
    assert automaton.progress("धर्म").syllables == 1
    assert automaton.progress("धर्मक्षेत्रे कुरुक्षेत्रे").padas == 1
    assert automaton.accepts(gita)
    assert automaton.accepts(gita.replace("॥", "।।"))
    assert not automaton.progress("धर्मी्").alive  # a virāma after a vowel sign
    assert not automaton.progress("धर्अ").alive  # a vowel letter after a virāma
    assert automaton.progress("धर्म".encode()[:-1].decode(errors="ignore")).alive
    cut = compile_metre(ANUSTUBH, "devanagari", "bytes").progress("धर्म".encode()[:-1])
    assert cut.alive and not cut.may_end


def test_letters_to_the_end_are_enough_and_needed():
    """From many states: a shortest way really is one, and one letter less never suffices."""
    automaton = compile_metre(ANUSTUBH)
    chance = random.Random(1)
    for _ in range(50):
        text = walk(automaton, chance)
        state = automaton.read(text[: chance.randrange(len(text))])
        steps = 0
        while not automaton.accepting[state]:
            nearer = [automaton.read(letter, state) for letter in automaton.alive_letters(state)]
            distances = {int(automaton.to_end[following]) for following in nearer}
            assert min(distances) == automaton.to_end[state] - 1
            state = next(following for following in nearer if automaton.to_end[following] == min(distances))
            steps += 1
            assert steps < 60


def test_clusters_are_limited_as_asked():
    kartsnya = "kArtsnyena"  # four half-akṣaras: r, t, s, n
    assert compile_metre(ANUSTUBH).progress(kartsnya).alive
    assert not compile_metre(ANUSTUBH, max_cluster=3).progress(kartsnya).alive
    assert compile_metre(ANUSTUBH, max_cluster=3).progress("kArtsn").alive
    with pytest.raises(ValueError, match="Expected max_cluster of at least 1; got 0"):
        compile_metre(ANUSTUBH, max_cluster=0)
    with pytest.raises(ValueError, match="Expected a script among slp1, devanagari; got 'iast'"):
        compile_metre(ANUSTUBH, "iast")
    with pytest.raises(ValueError, match="Expected the unit characters or bytes; got 'words'"):
        compile_metre(ANUSTUBH, "slp1", "words")


def test_yati_is_kept_or_counted_as_asked():
    # kimakurvatasaYjaya as one word with what comes before it: the third pāda's last word runs on.
    runs_on = GITA.replace("pARqavAScEva kimakurvata", "pARqavAScEvakimakurvata")
    for text, breaks in ((GITA, 0), (runs_on, 1), (runs_on.replace("kzetre samavetA", "kzetresamavetA"), 2)):
        assert compile_metre(ANUSTUBH).accepts(text)
        assert compile_metre(ANUSTUBH, yati="require").accepts(text) == (breaks == 0)
        counting = compile_metre(ANUSTUBH, yati="prefer")
        assert counting.accepts(text)
        assert counting.breaks[counting.read(text)] == breaks
    # A word-final consonant belongs to the pāda before it.
    assert compile_metre(ANUSTUBH, yati="require").accepts(VIPULAS["na-vipulā"])
    with pytest.raises(ValueError, match="Expected yati to be one of none, prefer, require; got 'maybe'"):
        compile_metre(ANUSTUBH, yati="maybe")


@pytest.mark.parametrize("name", EVERY_KIND)
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
@pytest.mark.parametrize("unit", ["characters", "bytes"])
def test_every_state_reaches_an_end(name, script, unit):
    assert prove(find(name), script, unit) > 100


def test_every_metre_of_the_table_compiles():
    for metre in all_metres():
        prove(metre, "slp1", "characters")


@pytest.mark.parametrize("name", EVERY_KIND[:-2] + ("upajāti", "āryā", "gīti", "upagīti", "udgīti", "āryāgīti"))
@pytest.mark.parametrize("script", ["slp1", "devanagari"])
def test_walks_of_live_letters_end_in_perfect_verses(name, script):
    for seed in range(1000, 1025):
        text, theirs, ours = walked_verdict((name, script, seed))
        assert theirs and ours, text


NEW = [metre.name for metre in all_metres() if not metre.skrutable]


@pytest.mark.parametrize("name", NEW)
def test_walks_in_metres_that_skrutable_lacks_are_perfect_by_our_own_reading(name):
    for seed in range(3):
        text, theirs, ours = walked_verdict((name, "slp1", seed))
        assert ours and not theirs, text


# The regular cases of a mixture, which are named by it.
REGULAR = {"ākhyānikī": "upajāti", "viparītākhyānikī": "upajāti"}


@pytest.mark.parametrize("metre", all_metres(), ids=lambda metre: metre.name)
def test_what_a_walk_wrote_is_told_to_be_in_its_metre(metre):
    """Where every weight is fixed, always; what a mixture or a general metre admits may be a fixed metre too."""
    told = set()
    for seed in range(5):
        text = walk(compile_metre(metre), random.Random(f"{metre.name} {seed}"))
        first, second = map(weigh, halves(text.replace("\n", ".")))
        found, asked = identify(first, second), identify(first, second, metre=metre)
        assert found and asked and not found.licences + asked.licences, text
        told.add(found.metre.name)
    own = REGULAR.get(metre.name, metre.name)
    assert own in told if metre.general or metre.kind == "upajāti" else told == {own}


# ---------------------------------------------------------------- against brute force

SYLLABLE = f"[{sounds.CONSONANTS}]{{0,5}}[{sounds.VOWELS}](?:[MH](?![{sounds.VOWELS}]))?'{{0,2}}"
WORD = f"'{{0,2}}(?:{SYLLABLE})+[{sounds.CONSONANTS}]{{0,4}}"


def brute(text: str) -> bool:
    """Anuṣṭubh by the definition: a spelling by regular expression, weights by scanning, the metre by the table."""
    spelled = re.fullmatch(rf"[ \n]?({WORD}(?: {WORD})*) ?[.\n][ \n]?({WORD}(?: {WORD})*)(?: ?\.\.| )?", text)
    if spelled is None:
        return False
    first, second = map(weigh, spelled.groups())
    found = identify(first, second, metre=ANUSTUBH)
    return found is not None


@st.composite
def near_verses(draw):
    """A real verse with up to three letters changed, put in or left out."""
    text = draw(st.sampled_from([GITA, *VIPULAS.values()]))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text) - 1))
        letter = draw(st.sampled_from([*LETTERS["slp1"], ""]))
        text = text[:at] + letter + text[at + draw(st.integers(0, 1)) :]
    return text


@settings(max_examples=1000)
@given(near_verses())
def test_accepts_what_the_definition_accepts(text):
    assert compile_metre(ANUSTUBH).accepts(text) == brute(text)


@given(st.text())
@example("\ud800")
def test_arbitrary_unicode_is_dead_or_a_prefix(text):
    for script in LETTERS:
        in_characters = compile_metre(ANUSTUBH, script).progress(text)
        in_bytes = compile_metre(ANUSTUBH, script, "bytes").progress(text)
        assert in_characters.alive == in_bytes.alive
        assert in_characters.may_end == in_bytes.may_end


VERSE_BYTES = write(GITA, "devanagari").encode()


@given(st.integers(0, len(VERSE_BYTES)))
def test_every_first_part_of_a_verses_bytes_is_alive(end):
    """Also where it ends inside a letter: a tokenizer's piece may."""
    assert compile_metre(ANUSTUBH, "devanagari", "bytes").read(VERSE_BYTES[:end]) != DEAD


@settings(max_examples=500)
@given(st.integers(0, len(VERSE_BYTES) - 1), st.integers(0, 255), st.integers(0, 6))
def test_a_wrong_byte_is_alive_only_where_its_letters_are(at, byte, more):
    data = VERSE_BYTES[:at] + bytes([byte]) + VERSE_BYTES[at + 1 : at + 1 + more]
    alive = compile_metre(ANUSTUBH, "devanagari", "bytes").read(data) != DEAD
    try:
        letters = data.decode()
    except UnicodeDecodeError as error:
        # Broken inside: dead. Broken off at the end: alive at most as what comes before it is.
        broken_off = error.reason == "unexpected end of data"
        letters = data[: error.start].decode()
        assert broken_off or not alive
        assert not alive or compile_metre(ANUSTUBH, "devanagari").read(letters) != DEAD
    else:
        assert alive == (compile_metre(ANUSTUBH, "devanagari").read(letters) != DEAD)


@given(near_verses())
def test_devanagari_accepts_what_slp1_accepts(text):
    slp1 = compile_metre(ANUSTUBH).accepts(text)
    if slp1 and "\n" not in text:
        assert compile_metre(ANUSTUBH, "devanagari").accepts(write(text, "devanagari")), text


def test_halves_of_the_examples_are_two():
    assert all(len(halves(verse)) == 2 for _, verse in VERSES.values())
