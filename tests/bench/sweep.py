"""Every public transcript through the whole write path: bytes back unchanged, rows applied, nothing for fsck to say.

    python tests/bench/sweep.py [FOLDER]

FOLDER (default: transcripts beside the project's shared data) is pushed file by file into a fresh vault, `show --raw`
is compared by digest, conversations and coding sessions are distilled by the rules. Prints a table and every row that
was not applied with its reason; status 1 where bytes differ, fsck finds something or less than 99 % of the rows are
applied. Skips, with a word, where the folder is not there.
"""

import hashlib
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from xysq import Vault

ROOT = Path(__file__).resolve().parents[2]
DEFAULT = ROOT.parent / "shared" / "transcripts"


def main() -> int:
    """Push, compare, distil, prove, print."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    if not folder.is_dir():
        print(f"skipped: there is no folder {folder.name} of transcripts")
        return 0
    with tempfile.TemporaryDirectory(prefix="xysq-sweep-") as home:
        os.environ.update({"HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "XDG_CONFIG_HOME": f"{home}/config"})
        with Vault.init(f"{home}/vault", me="Owner") as vault:
            return sweep(vault, sorted(path for path in folder.rglob("*") if path.is_file()))


def sweep(vault: Vault, files: list[Path]) -> int:
    """Run all files through a vault."""
    began = time.monotonic()
    pushed = {path: vault.push(path, wait="landed") for path in files}
    landed_s = time.monotonic() - began
    differing = [path for path, at in pushed.items() if digest(path.read_bytes()) != digest(vault.raw(str(at.version)))]
    indexed_s = time.monotonic() - began - landed_s
    formats = Counter(at.format for at in pushed.values())
    reports = list(vault.distill_iter())
    distilled_s = time.monotonic() - began - landed_s - indexed_s
    refused = [report for report in reports if report.outcome != "applied"]
    rows = sum(len(report.rows) for report in reports)
    lost = sum(len(report.rows) for report in refused)
    status = vault.status()
    drops = Counter(drop.code.value for report in reports for drop in report.drops)
    findings = [finding for finding in vault.fsck() if not finding.note]
    print(f"files      {len(files)} ({', '.join(f'{count} {name}' for name, count in sorted(formats.items()))})")
    print(f"bytes back {len(files) - len(differing)} of {len(files)} identical")
    print(f"rows       {rows - lost} of {rows} applied, {len(status.pending)} pending, {len(status.given_up)} given up")
    print(f"memory     {status.passages} passages, {status.pages} pages, {status.open_facts} open facts")
    print(f"drops      {dict(drops)}")
    print(f"fsck       {len(findings)} findings")
    print(f"seconds    {landed_s:.1f} landing, {indexed_s:.1f} indexing, {distilled_s:.1f} distilling")
    for report in refused:
        for refusal in report.refusals[:3]:
            print(f"  {', '.join(map(str, report.rows))}: {refusal.gate}: {refusal.page}: {refusal.sentence}")
    for finding in findings[:20]:
        print(f"  {finding.file}:{finding.line}: {finding.code}: {finding.sentence}")
    for path in differing:
        print(f"  differs: {path.name}")
    failed = bool(differing or findings or status.pending) or lost > 0.01 * rows
    print(f"{'0 passed, 1 failed' if failed else '1 passed, 0 failed'}")
    return int(failed)


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
