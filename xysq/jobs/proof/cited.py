"""Quotes against the logs on the disk, without the read model: what is derived proves nothing.

The words of a quote are a slice of the log, unescaped; whether later corrections kept them is said by their metas.
"""

from functools import lru_cache

from xysq.errors import BadInput, Damaged, NotFound
from xysq.model.fact import Evidence
from xysq.model.kept import stands
from xysq.model.source import Encoding, Meta, SourceId, Version, VersionKind, decode_span
from xysq.store import layout, logs
from xysq.store.files import Files

_REMEMBERED, _HELD = 4_096, 4
_BEYOND = 1 << 62


class CitedLogs:
    """The logs of a vault, as quotes cite them."""

    def __init__(self, files: Files) -> None:
        """Read nothing yet."""
        self._files = files
        self._metas = lru_cache(maxsize=_REMEMBERED)(self._read_metas)
        self._bytes = lru_cache(maxsize=_HELD)(self._read_bytes)
        self._is_whole = lru_cache(maxsize=_REMEMBERED)(self._prove)

    def stands(self, evidence: Evidence) -> bool:
        """Tell whether the quoted words are in the log and every later correction of the source kept them."""
        metas = self._metas(evidence.source)
        if not 0 < evidence.version <= len(metas) or not 0 <= evidence.start <= evidence.end:
            return False
        data = self._bytes(evidence.cited, evidence.enc is Encoding.TEXT)[evidence.start : evidence.end]
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

    def _read_bytes(self, version: Version, is_view: bool) -> bytes:  # noqa: FBT001 - a key of what is remembered
        """Read a version whole: facts come in the order of what they quote, so the next ones quote it too."""
        try:
            if is_view:
                return logs.read_view_range(self._files, version, 0, _BEYOND)
            return logs.read_bytes(self._files, version)
        except (Damaged, NotFound):
            return b""

    def _read_metas(self, source: SourceId) -> tuple[Meta, ...]:
        try:
            return logs.versions(self._files, source)
        except (Damaged, BadInput):
            return ()
