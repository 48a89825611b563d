"""Mend: what `repair` can put right, a module a subject; each mends from a redundant copy or leaves things alone."""
