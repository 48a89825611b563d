"""Facts as tools tell them: short, with who said it, when, and how it stands."""

from typing import Any

from xysq.mcp.reply import shortened
from xysq.model.fact import Evidence, Fact
from xysq.model.plan import Drop
from xysq.model.report import RunReport, Told
from xysq.pages.escape import plain
from xysq.text import safe_line


def fact_data(fact: Fact) -> dict[str, Any]:
    """Return a fact as data."""
    return {
        "id": fact.id,
        "page": fact.page,
        "text": plain(fact.text),
        "attribute": fact.attribute,
        "value": fact.value,
        "label": fact.label.value,
        "state": fact.state,
        "said_at": fact.observed,
        "committed_at": fact.at,
    }


def fact_line(fact: Fact) -> str:
    """Return a fact on one line."""
    return f"{fact.id} ({fact.state}, {day(fact.observed or fact.at)}) {safe_line(plain(fact.text))}"


def evidence_data(evidence: Evidence) -> dict[str, Any]:
    """Return where a quote stands and who said it."""
    return {
        "passage": f"{evidence.cited}#{evidence.passage}",
        "who": evidence.speaker or evidence.role.value,
        "role": evidence.role.value,
        "channel": evidence.channel.value,
        "at": evidence.at,
    }


def run_data(report: RunReport) -> dict[str, Any]:
    """Return what a run brought, what was dropped, why it was refused; of long lists the beginning, and the rest."""
    lists: dict[str, list[Any]] = {
        "asserted": [_told(fact) for fact in report.asserted],
        "superseded": [{**_told(fact), "replaced": fact.replaced} for fact in report.superseded],
        "late": [_told(fact) for fact in report.late],
        "confirmed": [_told(fact) for fact in report.confirmed],
        "closed": [_told(fact) for fact in report.closed],
        "drops": [_dropped(drop) for drop in report.drops],
        "refusals": [refusal.to_wire() for refusal in report.refusals],
    }
    return {"run": report.run, "outcome": report.outcome, **shortened(lists)}


def run_lines(report: RunReport) -> list[str]:
    """Return the same in lines."""
    lines = [f"run {report.run}: {report.outcome}"]
    for name in ("asserted", "superseded", "late", "confirmed", "closed"):
        told: tuple[Told, ...] = getattr(report, name)
        lines += [f"- {name} {fact.fact} {safe_line(fact.title)}: {safe_line(fact.text)}" for fact in told]
    lines += [f"- dropped ({drop.code.value}) {safe_line(drop.text)}: {drop.reason}" for drop in report.drops]
    lines += [f"- refused by {one.gate}: {safe_line(one.sentence)}" for one in report.refusals]
    return lines


def day(at: str) -> str:
    """Spell a moment to the minute."""
    return at[:16].replace("T", " ")


def _dropped(drop: Drop) -> dict[str, str | None]:
    return {
        "code": drop.code.value,
        "subject": drop.subject,
        "text": drop.text,
        "reason": drop.reason,
        "kept_as_prose_on": drop.kept_on or None,
    }


def _told(fact: Told) -> dict[str, str]:
    return {"id": fact.fact, "page": fact.page, "text": fact.text}
