"""What is learned from corpora, each by a command of its own: `python -m workbench.training.<module> PATH ...`."""
