"""Generators of every kind in folders, as a person would have them from the Hub: the real classes, tiny."""

from pathlib import Path

from transformers import M2M100Config, M2M100ForConditionalGeneration, NllbTokenizer, Phi3Config, Phi3ForCausalLM

from tests.training import small
from workbench.models import tiny
from workbench.prosody.automaton import LETTERS
from workbench.training.generator import GeneratorTraining
from workbench.training.generator_texts import material
from workbench.training.recipes import Recipe

CHAT = (
    "{% for m in messages %}<s>{{ m['role'] }}\n{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
)


def nllb(folder: Path) -> Path:
    """M2M100 with NLLB's tokenizer class over Devanagari letters, some syllables and the letters of English."""
    english = "abcdefghijklmnopqrstuvwxyz,.?'"
    pieces = [
        "▁",
        *(c for c in LETTERS["devanagari"] if c not in " \n"),
        *english,
        *english.upper(),
        "म्",
        "रा",
        "धर्",
        "▁रा",
    ]
    names = ["<s>", "<pad>", "</s>", "<unk>", *dict.fromkeys(pieces)]
    tokenizer = NllbTokenizer(
        vocab={name: at for at, name in enumerate(names)},
        merges=[("म", "्"), ("र", "ा"), ("▁", "रा")],
        extra_special_tokens=["eng_Latn", "san_Deva", "hin_Deva"],
        src_lang="eng_Latn",
    )
    config = M2M100Config(
        vocab_size=len(tokenizer), d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=600, dropout=0.0,
        encoder_layerdrop=0.0, decoder_layerdrop=0.0,
        pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2,
    )  # fmt: skip
    tiny.with_spread_logits(M2M100ForConditionalGeneration(config)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def phi(folder: Path, chat: bool = True) -> Path:
    tokenizer = tiny.byte_level(3000)
    if chat:
        tokenizer.chat_template = CHAT
    config = Phi3Config(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=2048, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    )  # fmt: skip
    tiny.with_spread_logits(Phi3ForCausalLM(config)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    tokenizer.chat_template = None  # the tokenizer is shared between tests
    return folder


def embedded(folder: Path, steps: int = 300) -> Path:
    """The embedded generator's own shape, trained for a moment on six verses."""
    data, encoder = small.prepared(folder / "data"), small.encoder(folder / "encoder")
    recipe = Recipe(
        pieces=260, layers=1, width=32, heads=2, inner=64, batch_tokens=200, peak=1e-2, warm_up=5, dropout=0.0,
        piece_dropout=0.0, hidden_words=0.0, averaging=0.5, drop_source=0.2,
    )  # fmt: skip
    run = GeneratorTraining(folder, recipe, material(data), encoder, lambda sentence: None)
    run.run(hours=100, steps=steps)
    return folder / "model"


def register(file: Path, **tables: dict) -> Path:
    """A person's own file of generators."""
    lines = []
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else '"""' + str(value) + '"""'
