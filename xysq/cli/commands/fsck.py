"""`xysq fsck`: prove that the vault is as promised."""

from typing import Annotated

import typer

from xysq.cli.desk import Desk
from xysq.cli.line import counted
from xysq.cli.render import finding
from xysq.errors import BadInput
from xysq.jobs.fsck import Depth
from xysq.vault.sound import Sound

_FOUND = 4


def run(
    ctx: typer.Context,
    fast: Annotated[bool, typer.Option("--fast", help="Ledger, records and pages only.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Every byte of logs and git too; so without it.")] = False,
    index: Annotated[bool, typer.Option("--index", help="The commit that git's index holds; for a hook.")] = False,
) -> int:
    """Prove that the vault is as promised, from its own files alone.

    Findings are FILE:LINE: code: sentence, and end with 4. Notes are no faults. Nothing is changed.
    """
    if fast + full + index > 1:
        raise BadInput("--fast, --full and --index are three different things to prove", "give one of them")
    desk = Desk(ctx)
    with desk.examined(Sound) as vault:
        findings = vault.judge_index() if index else vault.fsck(Depth.FAST if fast else Depth.FULL)
    faults = [one for one in findings if not one.note]
    desk.answer({"findings": findings}, map(finding, faults))
    for note in findings:
        if note.note and not desk.is_json:
            desk.output.say(f"note: {finding(note)}")
    if faults:
        hint = "" if index else ". Next: xysq doctor, xysq repair"
        desk.output.say(f"{counted(len(faults), 'fault')}{hint}")
    elif not index:
        desk.output.say("as promised")
    return _FOUND if faults else 0
