"""Looking: whatever an id, a title or a name means."""

from xysq.jobs import show as show_job
from xysq.jobs.versions import VersionDifference
from xysq.jobs.versions import diff_versions as diff_versions_job
from xysq.model.report import Shown
from xysq.vault.core import OpenVault


class Looking(OpenVault):
    """A vault whose things are shown."""

    def show(self, what: str, *, as_of: str | None = None) -> Shown:
        """Return what an id, a unique beginning of one, a title or a name means."""
        return show_job.show(self._opened, what, as_of)

    def raw(self, what: str, *, as_of: str | None = None) -> bytes:
        """Return the exact bytes of a source, version, passage, page or run."""
        return show_job.raw(self._opened, what, as_of)

    def diff_versions(self, old: str, new: str | None = None) -> VersionDifference:
        """Return what changed from one version of a source to another, SOURCE@N; without it, to the newest."""
        return diff_versions_job(self._opened, old, new)
