"""What InfoXLM is, made small: an XLM-RoBERTa of one layer over the words of six pairs in both scripts, with random
weights."""

from pathlib import Path

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaModel

from tests.training import small
from workbench.prosody.script import write
from workbench.prosody.verse import Verse

SIGNS = ["<s>", "<pad>", "</s>", "<unk>"]


def make(folder: Path) -> Path:
    """Put it into a folder, as a person would have it from the Hub, and say where it is."""
    verses = [Verse.read(verse).plain for verse in small.VERSES.values()]
    texts = [*small.VERSES, *verses, *(write(verse, "devanagari") for verse in verses)]
    names = [*SIGNS, *sorted({word for text in texts for word in text.split()})]
    tokenizer = Tokenizer(models.WordLevel({name: at for at, name in enumerate(names)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", cls_token="<s>", pad_token="<pad>", eos_token="</s>",
        sep_token="</s>", unk_token="<unk>", model_max_length=128, model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip
    torch.manual_seed(3)
    config = XLMRobertaConfig(
        vocab_size=len(names), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=130, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        bos_token_id=0, pad_token_id=1, eos_token_id=2,
    )  # fmt: skip
    XLMRobertaModel(config).save_pretrained(folder)
    wrapped.save_pretrained(folder)
    return folder
