"""The token table: equal to running letters, to an independent engine, and to the definition; shared and kept on disk."""

import random
from concurrent.futures import ThreadPoolExecutor

import llguidance
import llguidance.hf
import numpy as np
import pytest
import regex

from tests.decoding.scripted import letter_tokenizer
from tests.prosody.test_automaton import WORD
from tests.verses import VERSES, VIPULAS, halves
from workbench.decoding.lexicon import Lexicon, cache_folder, lexicon
from workbench.decoding.vocabulary import TokenizerError, Vocabulary, vocabulary
from workbench.models.tiny import TOKENIZERS, byte_level, sentencepiece
from workbench.prosody.automaton import DEAD, Automaton, compile_metre
from workbench.prosody.metres import find
from workbench.prosody.scansion import GURU, Reason, scan
from workbench.prosody.script import to_slp1
from workbench.prosody.sounds import CONSONANTS, VOWELS

ANUSTUBH = find("anuṣṭubh")
GITA = VERSES["anuṣṭubh"][1]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PINGALA_CACHE", str(tmp_path))


def walked_states(table: Lexicon, number: int, seed: int = 0) -> list[tuple[int, list[int]]]:
    """States met by random walks over live tokens, each with the tokens that led there."""
    chance = random.Random(seed)
    found = []
    while len(found) < number:
        state, tokens = table.automaton.start, []
        while len(found) < number:
            found.append((state, list(tokens)))
            alive = np.nonzero(table.row(state)[table.entries(table.size, state)])[0]
            if not len(alive):
                break
            tokens.append(int(chance.choice(alive)))
            state = table.next_state(state, tokens[-1])
    return found


@pytest.mark.parametrize("script", ["slp1", "devanagari"])
@pytest.mark.parametrize("family", TOKENIZERS)
def test_a_token_leads_where_its_bytes_lead(family, script):
    tokenizer = TOKENIZERS[family]()
    table = lexicon(tokenizer, ANUSTUBH, script)
    words = vocabulary(tokenizer)
    chance = random.Random(1)
    for state, _ in walked_states(table, 60):
        for token in chance.sample(range(table.size), 40):
            if words.tokens[token] is None or (state == table.automaton.start and token in words.not_first):
                expected = DEAD
            else:
                expected = table.automaton.read(words.tokens[token], state)
                if family in ("wordpiece", "end_of_word") and not table._alive[expected]:
                    expected = DEAD  # letters could go on from there, but no token of theirs can
            assert table.next_state(state, token) == expected, (words.tokens[token], state)


# ---------------------------------------------------------------- an independent engine


def grammar(automaton: Automaton) -> str:
    """The automaton as a right-linear Lark grammar, a rule a state, for an engine that knows nothing of us."""
    letters: dict[int, str] = {}
    for letter, column in automaton.column.items():
        escaped = {"\n": "\\n", ".": "\\."}.get(letter, letter)
        letters[column] = letters.get(column, "") + escaped
    rules = [f"start: s{automaton.start}"]
    for state in range(1, len(automaton)):
        ways = [f"L{column} s{automaton.delta[state, column]}" for column in letters if automaton.delta[state, column]]
        rules.append(f"s{state}: " + " | ".join([*ways, *(['""'] if automaton.accepting[state] else [])]))
    return "\n".join([*rules, *(f"L{column}: /[{some}]/" for column, some in letters.items())])


@pytest.mark.parametrize(("script", "number"), [("slp1", 100), ("devanagari", 100)])
def test_masks_equal_those_of_llguidance(script, number):
    tokenizer = byte_level()
    table = lexicon(tokenizer, ANUSTUBH, script)
    words = vocabulary(tokenizer)
    limits = llguidance.LLParserLimits(step_max_items=10**7, max_items_in_row=10**6)
    engine = llguidance.LLMatcher(
        llguidance.hf.from_tokenizer(tokenizer), grammar(compile_metre(ANUSTUBH, script, max_cluster=3)), limits=limits
    )
    equal = 0
    for state, tokens in walked_states(table, number):
        engine.reset()
        engine.consume_tokens(tokens)
        bits = np.unpackbits(np.frombuffer(engine.compute_bitmask(), np.uint8), bitorder="little")[: table.size].astype(
            bool
        )
        assert not engine.is_error(), engine.get_error()
        assert bits[tokenizer.eos_token_id] == table.automaton.accepting[state]
        bits[tokenizer.eos_token_id] = False
        ours = table.row(state)[table.entries(table.size, state)] != DEAD
        live = sorted((words.tokens[token] for token in np.nonzero(ours)[0]), key=len)
        forced = all(live[-1].startswith(token) for token in live) if live else False
        # Where only one way is open, llguidance allows only its own way of cutting it into tokens.
        assert not (bits & ~ours).any()
        if not forced:
            assert (bits == ours).all(), tokens
            equal += 1
    assert equal > 0.9 * number


# ---------------------------------------------------------------- the definition

# A conjunct has at most three half-akṣaras here, so four consonants before a vowel and three at a word's end.
HALF = WORD.replace("{0,5}", "{0,4}").replace("{0,4}$", "{0,3}")
PREFIX = regex.compile(rf"[ \n]?({HALF}(?: {HALF})*) ?[.\n][ \n]?({HALF}(?: {HALF})*)(?: ?\.\.| )?")


def could_be_a_verse(text: str) -> bool:
    """Whether a text is the beginning of an anuṣṭubh, by scanning it: spelling by a partial match, every settled weight
    against the patterns, the last one open unless something has made it heavy."""
    spelled = PREFIX.fullmatch(text, partial=True)
    if spelled is None:
        return False
    lines = regex.split(r"[.\n]+", text.lstrip(" \n"))
    first, second = lines[0], (lines[1] if len(lines) > 1 else None)
    odd, even = ANUSTUBH.padas[:2]
    full = [a + b for a in odd.weights for b in even.weights]
    if second is None:
        return fits(first, full)
    complete = "".join(syllable.weight for syllable in scan(first))
    if complete not in full:
        return False
    closed = text.rstrip().endswith(".") and second.strip() != ""
    if closed:
        return "".join(syllable.weight for syllable in scan(second)) in full
    return fits(second, full)


def fits(line: str, full: list[str]) -> bool:
    """Whether a line's weights begin one of the halves, with room for a vowel if its last word needs one to end."""
    last = line.split(" ")[-1]
    needs_vowel = last and not any(c in VOWELS for c in last) or regex.search(f"[{CONSONANTS}]{{4}}$", last)
    room = 1 if needs_vowel else 0
    return any(
        half.startswith(weights) and len(half) >= len(weights) + room for weights in open_weights(line) for half in full
    )


def open_weights(line: str) -> list[str]:
    syllables = scan(line)
    if not syllables:
        return [""]
    settled = "".join(syllable.weight for syllable in syllables[:-1])
    last = syllables[-1]
    sure = last.weight == GURU and last.reason is not Reason.CLOSED_END
    return [settled + "g"] if sure else [settled + "g", settled + "l"]


def could_be_devanagari(text: str) -> bool:
    """The same for Devanagari: signs where they can stand, and a last bare consonant with its a or without."""
    if regex.search(r"[^\u0900-\u0965 \n]|(?:^|[^क-हळ])[ा-ौॢॣॄ्]|्[अ-औॠॡऽंः]", text):
        return False
    slp1 = to_slp1(text.replace("॥", "..").replace("।", "."), "devanagari")
    bare = regex.search(r"[क-हळ]$", text)
    return could_be_a_verse(slp1) or (bare is not None and could_be_a_verse(slp1[:-1]))


@pytest.mark.parametrize(("script", "could_be"), [("slp1", could_be_a_verse), ("devanagari", could_be_devanagari)])
def test_masks_equal_the_definition(script, could_be):
    """A thousand pairs of state and token, in each script several hundred that live and several hundred that do not."""
    tokenizer = sentencepiece()
    table = lexicon(tokenizer, ANUSTUBH, script)
    words = vocabulary(tokenizer)
    chance = random.Random(2)
    whole = [token for token in range(table.size) if words.tokens[token] and _whole(words.tokens[token])]
    pairs = {True: 0, False: 0}
    for state, tokens in walked_states(table, 400, seed=3):
        before = b"".join(words.tokens[token] for token in tokens)
        if not _whole(before):
            continue  # in the middle of a letter there is no text to scan
        alive = [token for token in whole if table.next_state(state, token) != DEAD]
        for token in chance.sample(alive, min(2, len(alive))) + chance.sample(whole, 2):
            text = before.decode() + words.tokens[token].decode()
            lives = table.next_state(state, token) != DEAD
            assert lives == could_be(text), text
            pairs[lives] += 1
    assert min(pairs.values()) > 250 and sum(pairs.values()) > 1000, pairs


def _whole(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True


# ---------------------------------------------------------------- made once, kept


def test_tokens_that_cannot_finish_a_verse_are_not_offered():
    """A vocabulary of whole words: what letters could finish, these tokens often cannot."""
    texts = [VIPULAS["na-vipulā"], GITA]
    words = sorted({word for text in texts for half in halves(text) for word in half.split()} | {"yadA", "iti", "ca"})
    tokens = (None, b" ", b".", *(word.encode() for word in words))
    table = Lexicon(Vocabulary(tokens, frozenset()), compile_metre(ANUSTUBH, "slp1", "bytes"))
    chance = random.Random(0)
    for _ in range(300):
        state = table.automaton.start
        while not table.automaton.accepting[state]:
            alive = np.nonzero(table.row(state)[table.entry_of_token])[0]
            assert len(alive), "stranded"
            state = table.next_state(state, int(chance.choice(alive)))


@pytest.mark.parametrize("tokens", [(b"the", b" king", b"!"), (None,), (b"k", b"t", b"."), (b"a",)])
def test_a_vocabulary_that_cannot_write_a_verse_is_refused(tokens):
    with pytest.raises(TokenizerError, match="Expected a vocabulary that can write anuṣṭubh in slp1"):
        Lexicon(Vocabulary(tokens, frozenset()), compile_metre(ANUSTUBH, "slp1", "bytes"))


def test_the_table_is_kept_on_disk_and_a_broken_file_made_anew(tmp_path):
    words, automaton = vocabulary(letter_tokenizer()), compile_metre(ANUSTUBH, "slp1", "bytes")
    path = tmp_path / "tables" / "one.npz"
    made = Lexicon(words, automaton, path)
    assert path.is_file() and not list(path.parent.glob("*.tmp*"))
    kept = Lexicon(words, automaton, path)
    assert (made.row(automaton.start) == kept.row(automaton.start)).all()
    path.write_bytes(path.read_bytes()[:50])
    again = Lexicon(words, automaton, path)
    assert (made.row(automaton.start) == again.row(automaton.start)).all()
    # Where nothing can be written, it works without.
    (tmp_path / "file").write_text("")
    assert Lexicon(words, automaton, tmp_path / "file" / "one.npz").row(automaton.start).any()


def test_one_table_for_equal_vocabularies_and_for_all_threads():
    first, second = lexicon(letter_tokenizer(), ANUSTUBH, "slp1"), lexicon(letter_tokenizer(), ANUSTUBH, "slp1")
    assert first is second
    assert lexicon(letter_tokenizer(), ANUSTUBH, "slp1", yati="require") is not first
    assert cache_folder().is_dir()
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda state: first.row(state).copy(), [*range(1, 200)] * 4))
    for state, row in zip([*range(1, 200)] * 4, rows, strict=True):
        assert (row == first.row(state)).all()


def test_tokens_added_later_are_seen():
    tokenizer = letter_tokenizer()
    before = lexicon(tokenizer, ANUSTUBH, "slp1").size
    tokenizer.add_tokens(["namaH"])
    table = lexicon(tokenizer, ANUSTUBH, "slp1")
    assert table.size == before + 1
    assert table.next_state(table.automaton.start, before) != DEAD
