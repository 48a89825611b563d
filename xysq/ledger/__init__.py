"""The ledger: events as chained lines, and the state they fold to."""
