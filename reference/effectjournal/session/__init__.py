"""Sessions in the journal (§8): turns, effects, history, what is disclosed of it, and its sweep."""
