"""The read model: derived state in SQLite, one transaction for facts, passages and search index."""

from xysq.store.readmodel.failure import ReadModelDamaged, ReadModelFailed, Unusable
from xysq.store.readmodel.lists import FactFilter, PageLine, ProseOrigin, RunLine, Totals
from xysq.store.readmodel.logs import SourceLine
from xysq.store.readmodel.model import ReadModel
from xysq.store.readmodel.snapshot import Snapshot, Stamp

__all__ = [
    "FactFilter",
    "PageLine",
    "ProseOrigin",
    "ReadModel",
    "ReadModelDamaged",
    "ReadModelFailed",
    "RunLine",
    "Snapshot",
    "SourceLine",
    "Stamp",
    "Totals",
    "Unusable",
]
