"""Fine-tunes a generator from the Hub on prose and verses: NLLB in full or by LoRA, Phi-4 by LoRA over 8 bits.

transformers' Trainer does the work, so `accelerate launch -m workbench train ...` spreads it over GPUs and machines.
What a model learns to say is spelled by the generator itself, the same object that later composes with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    DataCollatorForSeq2Seq,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
)

from workbench.corpora import VERSE_COLUMNS, CorpusError, any_rows
from workbench.models import hub
from workbench.models.entries import Entry, ModelError
from workbench.models.generator import Generator
from workbench.models.instruction import Instructed
from workbench.models.translation import Translator, language_id
from workbench.prosody.detection import ReadingError
from workbench.prosody.verse import Verse
from workbench.training.batches import IGNORED
from workbench.training.recipes import Tuning
from workbench.training.trainer_runs import where_it_stopped


def examples(data: str, split: str = "train") -> Iterator[tuple[str, str]]:
    """Prose and verse in SLP1, from a file of JSON lines or from a data set on the Hub."""
    for row in any_rows(data, split):
        if row["verse"] is None:
            raise CorpusError(f"Expected a column of verses ({', '.join(VERSE_COLUMNS)}); got {', '.join(row)}.")
        try:
            verse = Verse.read(row["verse"], "slp1" if "slp1" in row else "auto")
        except ReadingError:  # a row without Sanskrit in it teaches nothing
            continue
        yield row["en"], ". ".join(verse.halves) + ".."


def _rows(generator: Generator, data: Iterator[tuple[str, str]], longest: int) -> list[dict[str, Any]]:
    tokenizer = generator.tokenizer
    found = []
    for prose, verse in data:
        prompt = generator.read(prose)
        target = tokenizer(generator.spell(verse), add_special_tokens=False)["input_ids"] + [generator.eos_token_id]
        source = prompt.inputs["input_ids"][0].tolist()
        if generator.model.config.is_encoder_decoder:
            # The language code leads the verse, as it will when composing.
            row = {"input_ids": source[:longest], "labels": [*prompt.prefix[1:], *target][:longest]}
        else:
            row = {"input_ids": [*source, *target], "labels": [*[IGNORED] * len(source), *target]}
            if len(row["input_ids"]) > longest:
                continue
        found.append({**row, "attention_mask": [1] * len(row["input_ids"])})
    if not found:
        raise CorpusError("Expected rows with prose and a verse that fit the length; got none.")
    return found


def _load(entry: Entry, tuning: Tuning) -> Generator:
    kinds: dict[str, tuple[Any, Any]] = {
        "translation": (Translator, AutoModelForSeq2SeqLM),
        "instruction": (Instructed, AutoModelForCausalLM),
    }
    if entry.kind not in kinds:
        raise ModelError(
            f"Expected a generator from the Hub to fine-tune; {entry.name} is trained by `train generator`."
        )
    kind, auto = kinds[entry.kind]
    languages = {"src_lang": entry.source, "tgt_lang": entry.target} if entry.kind == "translation" else {}
    tokenizer = hub.load_tokenizer(entry, **languages)
    if entry.kind == "translation":
        language_id(tokenizer, entry.target)
    model = hub.load_model(entry, auto, trainable=True)
    if (tuning.lora or entry.eight_bit) and not entry.adapter:
        model = _with_adapter(model, entry, tuning)
    generator: Generator = kind(entry, model, tokenizer, hub.identity(entry))
    return generator


def _with_adapter(model: Any, entry: Entry, tuning: Tuning) -> Any:
    from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training

    if entry.eight_bit:
        prepare: Any = prepare_model_for_kbit_training
        model = prepare(model, gradient_checkpointing_kwargs={"use_reentrant": False})
    config = LoraConfig(
        task_type="SEQ_2_SEQ_LM" if model.config.is_encoder_decoder else "CAUSAL_LM",
        r=tuning.rank,
        lora_alpha=2 * tuning.rank,
        lora_dropout=0.05,
        target_modules="all-linear",
    )
    return get_peft_model(model, config)


def finetune(entry: Entry, data: str, out: Path, tuning: Tuning, resume: bool = False) -> Path:
    """Fine-tune, and return the folder of the model, or of the adapter where there is one."""
    torch.manual_seed(tuning.seed)
    generator = _load(entry, tuning)
    learnt = _rows(generator, examples(data), tuning.longest)
    adapted = bool(tuning.lora or entry.eight_bit or entry.adapter)
    on_gpu = torch.cuda.is_available()
    trainer = Seq2SeqTrainer(
        model=generator.model,
        args=Seq2SeqTrainingArguments(
            output_dir=str(out / "run"),
            num_train_epochs=tuning.epochs,
            max_steps=tuning.steps,
            per_device_train_batch_size=tuning.batch,
            gradient_accumulation_steps=tuning.accumulate,
            learning_rate=tuning.rate,
            warmup_steps=0.03,  # a share
            lr_scheduler_type="cosine",
            bf16=on_gpu,
            save_steps=500,
            save_total_limit=2,
            logging_steps=20,
            seed=tuning.seed,
            report_to="none",
            dataloader_pin_memory=on_gpu,
            remove_unused_columns=False,
        ),
        train_dataset=learnt,
        data_collator=DataCollatorForSeq2Seq(generator.tokenizer, label_pad_token_id=IGNORED),
    )
    trainer.train(resume_from_checkpoint=where_it_stopped(out / "run", resume))
    folder = out / ("adapter" if adapted else "model")
    trainer.save_model(str(folder))
    if trainer.is_world_process_zero():
        generator.tokenizer.save_pretrained(folder)
    return folder
