"""The lean decoder against transformers' own forward: the same states, whatever the rows, the padding, the order."""

import pytest
import torch
from transformers import MBartConfig, MBartForCausalLM, MBartForConditionalGeneration

from workbench.networks.lean import LeanDecoder

CLOSE = 1e-4


def config(**changes):
    return MBartConfig(
        **{
            "vocab_size": 60,
            "d_model": 32,
            "encoder_layers": 2,
            "decoder_layers": 3,
            "encoder_attention_heads": 4,
            "decoder_attention_heads": 4,
            "encoder_ffn_dim": 64,
            "decoder_ffn_dim": 64,
            "dropout": 0.0,
            "max_position_embeddings": 40,
            **changes,
        }
    )


def noisy(model):
    """Weights large enough that a wrong sign would show."""
    torch.manual_seed(3)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return model.eval()


@pytest.fixture(scope="module", params=[("gelu", True), ("relu", False)], ids=["gelu, scaled", "relu, not scaled"])
def model(request):
    activation, scaled = request.param
    return noisy(MBartForConditionalGeneration(config(activation_function=activation, scale_embedding=scaled)))


@torch.inference_mode()
def test_steps_give_the_states_of_a_whole_forward(model):
    source = torch.randint(5, 60, (3, 9))
    mask = torch.ones(3, 9, dtype=torch.bool)
    mask[1, 6:] = mask[2, 2:] = False
    told = torch.randint(5, 60, (3, 14))
    expected = model.model(input_ids=source, attention_mask=mask, decoder_input_ids=told).last_hidden_state
    lean = LeanDecoder(model.model.decoder)
    heard = lean.project_source(model.model.encoder(input_ids=source, attention_mask=mask).last_hidden_state, mask)
    cache = lean.cache(3)
    states = torch.stack([lean.step(told[:, at], heard, cache) for at in range(14)], dim=1)
    assert (states - expected).abs().max() < CLOSE
    cache = lean.cache(3, longest=2)  # several tokens at once, at the beginning and on the way, in a cache that grows
    for first, last in ((0, 5), (5, 6), (6, 14)):
        assert (lean.step(told[:, first:last], heard, cache) - expected[:, last - 1]).abs().max() < CLOSE


@torch.inference_mode()
def test_rows_can_be_chosen_anew_at_every_step(model):
    """A row that goes on twice, one that is dropped: the same as if each had been told by itself."""
    source = torch.randint(5, 60, (2, 7))
    mask = torch.ones_like(source, dtype=torch.bool)
    states = model.model.encoder(input_ids=source, attention_mask=mask).last_hidden_state
    lean = LeanDecoder(model.model.decoder)
    heard, cache = lean.project_source(states, mask), lean.cache(2)
    lean.step([7, 8], heard, cache)
    rows = torch.tensor([1, 1, 0])
    cache.choose(rows)
    found = lean.step([9, 10, 11], heard.rows(rows), cache)
    for at, (row, told) in enumerate([(1, [8, 9]), (1, [8, 10]), (0, [7, 11])]):
        alone = model.model(input_ids=source[row : row + 1], decoder_input_ids=torch.tensor([told]))
        assert (found[at] - alone.last_hidden_state[0, -1]).abs().max() < CLOSE


@torch.inference_mode()
def test_a_causal_model_with_cross_attention_is_the_same_decoder():
    """The generator's decoder: MBartForCausalLM that hears another encoder's states."""
    model = noisy(
        MBartForCausalLM(
            config(is_decoder=True, add_cross_attention=True, encoder_layers=0, activation_function="relu")
        )
    )
    states, mask = torch.randn(2, 5, 32), torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    told = torch.randint(5, 60, (2, 6))
    expected = model(input_ids=told, encoder_hidden_states=states, encoder_attention_mask=mask.long()).logits
    lean = LeanDecoder(model.model.decoder)
    heard, cache = lean.project_source(states, mask), lean.cache(2)
    found = [lean.step(told[:, at], heard, cache) @ lean.vectors.T for at in range(6)]
    assert (torch.stack(found, dim=1) - expected).abs().max() < 10 * CLOSE
