"""The arithmetic of encoder-decoders, without a framework in the way. Knows tensors and weights; no text, no tokens."""
