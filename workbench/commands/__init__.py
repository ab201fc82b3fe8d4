"""One module a command: its arguments, and how its result is printed. What it computes is elsewhere."""
