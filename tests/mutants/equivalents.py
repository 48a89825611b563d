"""Weakenings that change nothing, each with the reason why: module, function, change, reason."""

from collections.abc import Mapping

_KNOWN = "the events are lawful here, and a lawful event names facts that are known"
_DISTINCT = "no two events have one number, so the two are never equal"
_NAMELESS = "no fact has no name, so none is found"
_COUNTED = "len(bodies) != len(run.events)"
_NO_HEADING = "unit.kind is not UnitKind.HEADING"
_TABLE: tuple[tuple[str, str, str, str], ...] = (
    (
        "bounds",
        "_chain_fault",
        f"{_COUNTED} or not bodies or (not isinstance(bodies[0], RunBegun)): without {_COUNTED}",
        "the chain takes one salt a body, and is not spelled otherwise",
    ),
    ("remit", "beyond_remit", "if fact is None: False", _KNOWN),
    ("remit", "_close_fault", "if fact is None: False", _KNOWN),
    (
        "remit",
        "_close_fault",
        "if body.reason is CloseReason.PREMISE_CLOSED: True",
        "no distilling run closes for the other reasons, and that is asked before",
    ),
    ("blocks", "_unfolded", "if state is None: False", "a page that was touched is there"),
    ("blocks", "closed_shown", "fact.n < closing.n: LtE", _DISTINCT),
    ("blocks", "_closings", "latest[words].n < fact.life.n: LtE", _DISTINCT),
    (
        "bytes",
        "_losses",
        "unit.anchor and unit.anchor not in removed and (unit.kind is UnitKind.FACT): without unit.anchor",
        "every fact has an anchor",
    ),
    (
        "bytes",
        "_losses",
        f"{_NO_HEADING} or unit.body not in emptied - kept: without {_NO_HEADING}",
        "what is spelled as a heading is one",
    ),
    ("bytes", "_losses", "shorter > 0: GtE", "a loss of nothing counts for nothing"),
    ("bytes", "_losses", "0 moved", "a block with an anchor has over twelve bytes: one of each is never a quarter"),
    ("bytes", "_intended", "if page.changelog: True", "a page that a run touched has a changelog"),
    ("entitlement", "authority", "if old is None: False", _KNOWN),
    (
        "entitlement",
        "_late_fault",
        "successor is None or successor.attribute == stated.attribute: without successor is None",
        _KNOWN,
    ),
    (
        "meaning",
        "lineage",
        "fact is not None and (not set(evidence).isdisjoint(fact.evidence)): without fact is not None",
        _KNOWN,
    ),
    (
        "meaning",
        "lineage",
        "before.fact(name) is None or holder_of(name, after.fact) is None: without before.fact(name) is None",
        "a lawful statement names premises that were known before it",
    ),
    ("meaning", "_committed_evidence", "if stated.revives is None: False", _NAMELESS),
    (
        "meaning",
        "_repeated",
        "new is None or not new.is_open: without new is None",
        "what a lawful run states is there behind it",
    ),
    ("merge", "_Judge", "if fact is None: False", _KNOWN),
    (
        "merge",
        "_Judge",
        "fact is not None and (other.attribute, fold(other.value)) == (fact.attribute, fold(fact.value)): "
        "without fact is not None",
        "nothing moves to the page of a fact that is none",
    ),
    ("merge", "_Judge", "body.into or Slug(''): without Slug('')", "no page has no name, so none is found"),
    ("undoing", "_statement_fault", "if stated.revives is None: False", _NAMELESS),
    ("undoing", "_statement_fault", "for … if fact is not None: True", _KNOWN),
    ("meaning", "_bodies", "for … if event.body is not None: True", "whoever looks at bodies passes over what is none"),
)
EQUIVALENTS: Mapping[str, str] = {f"{module}: {owner}: {change}": reason for module, owner, change, reason in _TABLE}
