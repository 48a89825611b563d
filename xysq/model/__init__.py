"""What exists: frozen values, each in the module that also knows its spelling on disk."""
