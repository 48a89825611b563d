"""Models that draft: how they are asked, and what becomes of what they answer.

A model only ever points: at lines of the window it was shown, by number. Everything it says is checked against those
lines before it becomes a draft, and the draft is judged like any other.
"""
