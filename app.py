"""Builds and launches the workbench's page. `make app` runs it, and so does a Hugging Face Space."""

from workbench.ui import launch

if __name__ == "__main__":
    launch()
