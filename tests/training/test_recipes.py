"""Recipes: what a folder has of one is read again, whichever version wrote it, and commands offer all of it."""

import argparse
import json
from dataclasses import asdict

import pytest

from workbench.commands.arguments import add_options, given
from workbench.options import SettingsError, options_of
from workbench.refusal import Refusal
from workbench.training.recipes import RECIPES, ReaderRecipe, Recipe, note_run, recipe

# The reader's, as runs that are under way have it in their folders.
READER = {
    "seed": 1, "slp1_pieces": 12000, "english_pieces": 10000, "width": 384, "heads": 6, "inner": 1536,
    "encoder_layers": 5, "decoder_layers": 3, "batch_tokens": 4096, "peak": 0.002, "warm_up": 200, "cooling": 0.25,
    "averaging": 0.999, "weight_decay": 0.05, "piece_dropout": 0.08, "no_source": 0.06, "align_weight": 0.5, "hidden_answer": 0.15,
}  # fmt: skip


def test_a_recipe_that_is_written_down_is_read_and_written_the_same(tmp_path):
    note_run(tmp_path, ReaderRecipe(**READER), "train", [])
    assert (tmp_path / "recipe.json").read_text(encoding="utf-8") == json.dumps(READER, indent=1) + "\n"
    assert recipe(tmp_path, {}, ReaderRecipe) == ReaderRecipe(**READER)


def test_a_recipe_of_another_version_is_refused(tmp_path):
    (tmp_path / "recipe.json").write_text(json.dumps({"seed": 1, "live_encoder": True}), encoding="utf-8")
    with pytest.raises(Refusal, match="Expected a recipe that this version knows in .*live_encoder"):
        recipe(tmp_path, {}, Recipe)


def test_the_defaults_of_the_reader_stay():
    assert json.dumps(asdict(ReaderRecipe())) == json.dumps(READER)


def test_what_decides_the_weights_shape_cannot_change_on_the_way(tmp_path):
    note_run(tmp_path, ReaderRecipe(), "train", [])
    assert recipe(tmp_path, {"peak": 1e-3, "width": 384}, ReaderRecipe).peak == 1e-3
    with pytest.raises(ValueError, match="Expected the run's own width, encoder_layers"):
        recipe(tmp_path, {"encoder_layers": 2, "width": 128, "peak": 1e-3}, ReaderRecipe)


@pytest.mark.parametrize("name", RECIPES)
def test_a_command_offers_all_of_its_recipe(name):
    options = options_of(RECIPES[name])
    parser = argparse.ArgumentParser()
    add_options(parser, options, defaults=True)
    assert given(parser.parse_args([]), options) == {}
    for option in (each for each in options if each.group):
        text = [f"--{option.flag}"] if option.kind == "switch" else [f"--{option.flag}={option.default}"]
        wanted = True if option.kind == "switch" else option.default
        assert given(parser.parse_args(text), options) == {option.name: wanted}
        if option.kind in ("whole", "number"):
            with pytest.raises(SettingsError, match=f"Expected {option.name} to be {option.expected}; got 'many'"):
                given(parser.parse_args([f"--{option.flag}=many"]), options)
            with pytest.raises(SettingsError, match="got nan"):
                RECIPES[name](**{option.name: float("nan")})
