"""`python -m xysq.cli` is the same as `xysq`."""

from xysq.cli.main import main

main()
