"""The command line: `main` starts it, `commands` has one short file a command, `render` shows values to people."""
