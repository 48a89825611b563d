"""Mutants: good runs damaged in every way there is, sealed anew, and judged. None may pass."""
