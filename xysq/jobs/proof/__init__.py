"""Proof: what `fsck` proves, a module a subject, each a handful of functions from a view of the vault to findings."""
