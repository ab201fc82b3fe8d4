"""What is proved: the engine against skrutable and against itself, noise in and metre out."""
