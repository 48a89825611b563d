"""The Python API: `Vault`, and where a vault is found."""
