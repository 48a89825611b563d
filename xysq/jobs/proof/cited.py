"""Quotes against the logs on the disk, without the read model: what is derived proves nothing.

The words of a quote are a slice of the log, unescaped; whether later corrections kept them is said by their metas.
"""

from functools import lru_cache

from xysq.errors import BadInput, Damaged, NotFound
from xysq.model.fact import Evidence
from xysq.model.kept import stands
from xysq.model.source import Encoding, Meta, SourceId, VersionKind, decode_span
from xysq.store import layout, logs
from xysq.store.files import Files

_REMEMBERED = 4_096


class CitedLogs:
    """The logs of a vault, as quotes cite them."""

    def __init__(self, files: Files) -> None:
        """Read nothing yet."""
        self._files = files
        self._metas = lru_cache(maxsize=_REMEMBERED)(self._read_metas)
        self._is_whole = lru_cache(maxsize=_REMEMBERED)(self._prove)

    def stands(self, evidence: Evidence) -> bool:
        """Tell whether the quoted words are in the log and every later correction of the source kept them."""
        metas = self._metas(evidence.source)
        if not 0 < evidence.version <= len(metas):
            return False
        try:
            read = logs.read_view_range if evidence.enc is Encoding.TEXT else logs.read_range
            data = read(self._files, evidence.cited, evidence.start, evidence.end)
        except (Damaged, NotFound):
            return False
        if len(data) != evidence.end - evidence.start or decode_span(data, evidence.enc) != evidence.quote:
            return False
        later = (meta for meta in metas[evidence.version :] if meta.kind in (VersionKind.UPDATE, VersionKind.CORRECT))
        steps = ((meta.kind is VersionKind.CORRECT, meta.kept) for meta in later)
        return stands(steps, evidence.start, evidence.end)

    def is_there(self, evidence: Evidence) -> bool:
        """Tell whether the version that is cited has landed here, whole or damaged."""
        try:
            return self._files.exists(layout.meta_path(evidence.cited))
        except (Damaged, BadInput):
            return False

    def is_damaged(self, evidence: Evidence) -> bool:
        """Tell whether the source that is cited is damaged, so that nothing can be said of the quote."""
        return not self._is_whole(evidence.source)

    def _prove(self, source: SourceId) -> bool:
        try:
            return not logs.faults(self._files, source)
        except (Damaged, BadInput):
            return False

    def _read_metas(self, source: SourceId) -> tuple[Meta, ...]:
        try:
            return logs.versions(self._files, source)
        except (Damaged, BadInput):
            return ()
