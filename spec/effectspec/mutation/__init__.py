"""``effectspec mutants``: one small change at a time in the rules and their laws, and who notices.

A fault of the catalogue is a mistake that somebody thought of. These are made without thought, at
every place of the rules and of the laws, so that what nobody notices is a rule that nobody holds.
"""
