"""The planner: code that turns a draft into an exact change. Nothing a drafter says is believed here."""
