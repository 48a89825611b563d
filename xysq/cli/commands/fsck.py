"""`xysq fsck`: prove that the vault is as promised."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import counted
from xysq.cli.render import finding
from xysq.jobs.fsck import Depth
from xysq.vault.api import Vault

_FOUND = 4


def run(
    ctx: typer.Context,
    fast: Annotated[bool, typer.Option("--fast", help="Ledger, records and pages only.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Every byte of the logs too; so without it.")] = False,
) -> int:
    """Prove that the vault is as promised, from its own files alone.

    Findings are FILE:LINE: code: sentence, and end with 4. Notes are no faults.
    """
    desk = Desk(ctx)
    with desk.vault(Vault) as vault:
        findings = vault.fsck(Depth.FAST if fast and not full else Depth.FULL)
    faults = [one for one in findings if not one.note]
    desk.answer({"findings": findings}, map(finding, faults))
    for note in findings:
        if note.note and not desk.is_json:
            desk.output.say(f"note: {finding(note)}")
    desk.output.say(counted(len(faults), "fault") if faults else "as promised")
    return _FOUND if faults else 0
