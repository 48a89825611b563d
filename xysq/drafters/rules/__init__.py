"""The built-in drafter: deterministic patterns, no model.

`drafter` walks the passages, `plain` and `mood` set aside what states nothing, `statement` tries the patterns of
a language, `value` cuts the words a fact keeps, `ending` sees what is over. The patterns are data: `patterns/`.
"""
