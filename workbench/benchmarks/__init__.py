"""What is timed, as ratios in one run: decoding, scansion, composing, the page."""
