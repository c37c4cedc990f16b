"""Counterexamples for people: one value, and a module for each form that it is told in."""
