"""Does this verse say what the prose says? Scores of pairs, and what makes them trustworthy. Knows no search."""
