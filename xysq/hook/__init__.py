"""Hooks: what other programs call at their own moments, so that nobody has to remember to push."""
