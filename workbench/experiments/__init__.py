"""What is measured and proved, as commands. Each prints its figures with the versions and data they were made from."""
