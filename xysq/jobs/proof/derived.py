"""What is derived: whether the state that queries are answered from is as the ledger and the logs have it.

It can always be made again, and nothing here makes it: a read model that is missing, behind or of another vault is
none that anybody believes, and no fault.
"""

from collections.abc import Iterator

from xysq.errors import Damaged, XysqError
from xysq.jobs.proof.view import View, fault
from xysq.ledger.fold import Fold
from xysq.model.report import Finding
from xysq.model.source import Meta
from xysq.store import layout, logs
from xysq.store.git_object import git_object
from xysq.store.readmodel import Snapshot

_ANEW = "run xysq reindex"


def read_model(view: View) -> Iterator[Finding]:
    """Compare the read model of the tip with the fold and with the metas of the logs."""
    try:
        if view.model is None or view.fold is None or view.ledger_faults or view.fork is not None:
            return
        with view.model.reading() as snapshot:
            sentence = _memory_fault(snapshot, view.fold) or _logs_fault(view, snapshot)
    except XysqError as error:
        sentence = f"the search index cannot be read: {error.sentence}; {_ANEW}"
    if sentence:
        yield fault(str(view.opened.cache), "derived", sentence)


def _memory_fault(snapshot: Snapshot, fold: Fold) -> str:
    ledger, totals = snapshot.ledger, snapshot.lists.totals()
    if ledger.head() != fold.head():
        return ""  # a run came in between
    facts, pages = fold.every_fact(), fold.every_page()
    wrong = sum(ledger.fact(fact.id) != fact for fact in facts) + sum(ledger.page(page.slug) != page for page in pages)
    if wrong or totals.open_facts + totals.ended_facts != len(facts):
        return f"the search index has other facts or pages than the ledger; {_ANEW}"
    return ""


def _logs_fault(view: View, snapshot: Snapshot) -> str:
    """Tell where a log is indexed under another meta than it has; which of them is damaged is told elsewhere."""
    for source in logs.all_sources(view.files):
        try:
            metas = logs.versions(view.files, source)
        except Damaged:
            continue
        known = snapshot.logs.metas(source)
        if known != metas[: len(known)] and _is_committed(view, known):
            return f"the search index has other logs of {source} than there are; {_ANEW}"
    return ""


def _is_committed(view: View, metas: tuple[Meta, ...]) -> bool:
    """Tell whether the metas that the disk has are the committed ones; where not, they are what is wrong."""
    for meta in metas:
        path = layout.meta_path(meta.id)
        data, _ = view.read(path)
        file = (view.committed or {}).get(path)
        if file is None or data is None or git_object("blob", data).id != file.blob:
            return False
    return True
