"""A reader that has learnt a handful of verses by heart in a few seconds: the real classes, small."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from workbench.semantics.pieces import ENGLISH, GLOSS, WORDS
from workbench.training.reader import ReaderRecipe, ReaderTraining
from workbench.training.reader_texts import Item, Material
from workbench.training.recipes import note_run

# Bhagavadgītā 1.1, 2.47, 4.7; Rāmāyaṇa 1.2.15; with a plain English of our own.
PAIRS = {
    "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saMjaya":
        "What did my sons and the sons of Pandu do on the holy field, Sanjaya?",
    "karmaRyevADikAraste mA Palezu kadAcana . mA karmaPalaheturBUrmA te saNgo'stvakarmaRi":
        "Work is yours to choose, but never its fruit.",
    "yadA yadA hi Darmasya glAnirBavati BArata . aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham":
        "Whenever virtue fades, O Bharata, I send myself forth.",
    "mA nizAda pratizWAM tvamagamaH SASvatIH samAH . yatkrOYcamiTunAdekamavaDIH kAmamohitam":
        "Hunter, may you find no rest, for you killed a bird in love.",
}  # fmt: skip
LEMMAS = {
    "Darmakzetre kurukzetre": "Darma kzetra kuru kzetra",
    "mA Palezu kadAcana": "mA Pala kadAcana",
    "tadAtmAnaM sfjAmyaham": "tadA Atman sfj mad",
}
GLOSSES = {"Darma": "virtue", "Pala": "fruit", "kzetra": "field", "putra": "son"}


def material() -> Material:
    pairs = [Item(ENGLISH, verse, english) for verse, english in PAIRS.items()]
    return Material(
        {
            "itihasa": pairs * 8,
            "hitopadesha": [Item(WORDS, text, lemmas) for text, lemmas in LEMMAS.items()] * 8,
            "sahitya": [Item(GLOSS, word, gloss) for word, gloss in GLOSSES.items()] * 8,
        },
        {"epics": pairs},
    )


RECIPE = ReaderRecipe(
    slp1_pieces=180, english_pieces=400, width=48, heads=4, inner=96, encoder_layers=1, decoder_layers=2,
    batch_tokens=400, peak=0.02, warm_up=10, cooling=0.3, averaging=0.9, weight_decay=0.0, piece_dropout=0.0,
    no_source=0.15,
)  # fmt: skip


def make(folder: Path) -> Path:
    """Put one into a folder, and say where it is."""
    return Path(shutil.copytree(_trained(), folder / "model"))


@cache
def _trained() -> Path:
    """Trained once in a process: a dozen files of tests have one, and each takes a copy."""
    folder = Path(tempfile.mkdtemp(prefix="small-reader-"))
    atexit.register(shutil.rmtree, folder)
    training = ReaderTraining(folder, RECIPE, material(), lambda sentence: None)
    note_run(folder, RECIPE, "train reader", [])
    training.run(1.0, steps=260)
    return folder / "model"
