"""The operator's commands: what needs a person, its story, and the word that settles it (A-5)."""
