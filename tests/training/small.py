"""A corpus and an encoder small enough to train on in a test: six verses of the Bhagavadgītā and a BERT of one layer."""

import gzip
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

VERSES = {  # Bhagavadgītā 1.1, 2.3, 2.13, 2.47, 4.7, 4.8
    "On the field of duty, on the field of the Kurus, what did my sons and the Pandavas do?":
        "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya..",
    "Yield not to weakness, son of Pritha. Stand up, scorcher of foes.":
        "klEbyaM mA sma gamaH pArTa nEtattvayyupapadyate. kzudraM hfdayadOrbalyaM tyaktvottizWa parantapa..",
    "As in this body childhood, youth and old age come, so comes another body.":
        "dehino'sminyaTA dehe kOmAraM yOvanaM jarA. taTA dehAntaraprAptirDIrastatra na muhyati..",
    "Your right is to the work alone, never to its fruits.":
        "karmaRyevADikAraste mA Palezu kadAcana. mA karmaPalaheturBUrmA te saNgo'stvakarmaRi..",
    "Whenever there is decline of duty, O Bharata, I send myself forth.":
        "yadA yadA hi Darmasya glAnirBavati BArata. aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham..",
    "To protect the good and to destroy the wicked I am born in every age.":
        "paritrARAya sADUnAM vinASAya ca duzkftAm. DarmasaMsTApanArTAya samBavAmi yuge yuge..",
}  # fmt: skip


def row(number: int, prose: str, slp1: str, flags: tuple[str, ...] = (), full: bool = True) -> dict:
    return {"id": f"bg.{number}", "en": prose, "slp1": slp1, "full_anustubh": full, "flags": list(flags)}


ROWS = [row(number, prose, verse) for number, (prose, verse) in enumerate(VERSES.items())]


def write_rows(path: Path, rows: list[dict]) -> Path:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in rows)
    return path


def corpus(folder: Path) -> Path:
    """A folder with the files that the judges learn from."""
    folder.mkdir(parents=True, exist_ok=True)
    longer = row(9, "Both at once.", " ".join(list(VERSES.values())[:2]), ("multi",), full=False)
    write_rows(folder / "itihasa.train.jsonl.gz", [*ROWS, longer])
    write_rows(folder / "itihasa.dev.jsonl.gz", ROWS[:3])
    return folder


def text(number: int, prose: str, slp1: str, metre: str = "anuṣṭubh") -> dict:
    lines = slp1.removesuffix("..").replace(". ", " . ")
    return {"id": f"bg.{number}", "source": "itihasa", "work": "gītā", "slp1": lines, "english": prose, "metre": metre}


TEXTS = [text(number, prose, verse) for number, (prose, verse) in enumerate(VERSES.items())]
# Kumārasambhava 1.1: upajāti.
KUMARA = (
    "astyuttarasyAM diSi devatAtmA himAlayo nAma nagADirAjaH. "
    "pUrvAparO toyaniDI vagAhya sTitaH pfTivyA iva mAnadaRqaH.."
)
MADE = [
    {**text(20, "In the north is a divine mountain, the king of mountains.", KUMARA, "upajāti"), "score": -1.0},
    {**text(21, "Something that was heard badly.", KUMARA, "upajāti"), "score": -5.0},
]


def prepared(folder: Path) -> Path:
    """A folder as `corpus` makes it, for the generator, and proses as `train back-translate` does."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / "itihasa.jsonl.gz", TEXTS)
    write_rows(folder / "itihasa_dev.jsonl.gz", TEXTS[:3])
    write_rows(folder / "saamayik.jsonl.gz", [text(30, "I go.", "ahaM gacCAmi", "")])
    write_rows(folder / "words_glossed.jsonl.gz", [text(40, "in the forest", "vane", "")])
    write_rows(folder / "made.jsonl.gz", MADE)
    return folder


def encoder(folder: Path) -> Path:
    """all-MiniLM's shape, made small: uncased WordPiece and a BERT, with random weights."""
    words = sorted({word for prose in VERSES for word in prose.lower().replace(",", " ").replace(".", " ").split()})
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words, ".", ",", "?", "[MASK]", "[unused1]"]
    tokenizer = Tokenizer(models.WordPiece({name: at for at, name in enumerate(names)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
    torch.manual_seed(3)
    model = BertModel(
        BertConfig(
            vocab_size=len(names), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
        )
    )
    model.save_pretrained(folder)
    wrapped.save_pretrained(folder)
    return folder
