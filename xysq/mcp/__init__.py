"""MCP: the memory as tools for agents, on standard input and output.

`tools` says what there is, `serve` speaks the protocol, through the official SDK (package `mcp`, which this package
does not shadow: it is `xysq.mcp`), and `pipe` carries it. The tools call the Python API and hold nothing else; they
know nothing of the protocol, and nothing here is imported by any other command.
"""
