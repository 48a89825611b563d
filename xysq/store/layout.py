"""Layout: where everything in a vault lies, as pure functions between ids and relative POSIX paths.

Every id is checked before it becomes part of a path, because ids come from files, drafts and arguments. What lies
in a directory that may grow is spread: logs and runs by date, segments by 256, pages by their first two letters.
`LOCAL` is the vault's private part; it is never cloned.
"""

import re

from xysq.canonical import sha256_hex
from xysq.errors import BadInput
from xysq.model.fact import RunId, Slug
from xysq.model.source import Row, SourceId, Version, VersionKind
from xysq.store.path import folder_of

SETTINGS, SCHEMA = "xysq.yaml", "schema.yaml"
LOGS, LEDGER, RUNS, PAGES = "logs", "ledger", "runs", "pages"
LOCAL = ".git/xysq"
LOCK = f"{LOCAL}/lock"
WAL, REFUSED, DAMAGED = f"{LOCAL}/wal", f"{LOCAL}/refused", f"{LOCAL}/damaged"
LANDED, ATTEMPTS = f"{LOCAL}/queue/landed", f"{LOCAL}/queue/attempts"
KEPT = f"{LOCAL}/kept"
SOURCES = f"{LOCAL}/sources"
SOURCES_COMPLETE = f"{SOURCES}/complete"
INDEX_OWED = f"{LOCAL}/queue/index-owed"
BASES, SPENT, PROBLEMS = f"{LOCAL}/bases", f"{LOCAL}/spent", f"{LOCAL}/problems"
SPENT_LOCK = f"{SPENT}/lock"

SEGMENTS_IN_FOLDER = 256
MAX_SLUG_BYTES, LOG_DEPTH = 80, 4
_LETTERS = "[0-9a-hjkmnp-tv-z]"
_SOURCE = re.compile(rf"([0-9]{{4}})([0-9]{{2}})([0-9]{{2}})-({_LETTERS}{{6}})")
_RUN = re.compile(rf"r-([0-9]{{4}})([0-9]{{2}})([0-9]{{2}})T[0-9]{{6}}Z-{_LETTERS}{{4}}")
_LOG_DIR = re.compile(rf"{LOGS}/([0-9]{{4}})/([0-9]{{2}})/([0-9]{{2}})/({_LETTERS}{{2}})/({_LETTERS}{{6}})")
_LOG_LEVELS = tuple(map(re.compile, ("[0-9]{4}", "[0-9]{2}", "[0-9]{2}", f"{_LETTERS}{{2}}", f"{_LETTERS}{{6}}")))
_META = re.compile(r"v([1-9][0-9]{0,8})\.meta\.json")
_SEGMENT = re.compile(rf"{LEDGER}/([0-9]{{3,}})/([0-9]{{6,}})\.jsonl")
_RECORD = re.compile(rf"{RUNS}/[0-9]{{4}}/[0-9]{{2}}/[0-9]{{2}}/(.+)\.json")
_PAGE = re.compile(rf"{PAGES}/([^/]+)/([^/]+)\.md")
_EXTENSION = re.compile(r"[a-z0-9]{1,12}")
_VIEW_EXTENSION = "text"


# Logs


def log_dir(source: SourceId) -> str:
    """Return the directory of a source: `logs/2026/11/30/k3/k3f9x2`."""
    match = _SOURCE.fullmatch(source)
    if not match:
        raise BadInput(f"{source!r} is no source id such as 20261130-k3f9x2")
    year, month, day, letters = match.groups()
    return f"{LOGS}/{year}/{month}/{day}/{letters[:2]}/{letters}"


def is_source_id(text: str) -> bool:
    """Tell whether a text is a source id."""
    return _SOURCE.fullmatch(text) is not None


def source_of(path: str) -> SourceId | None:
    """Return the source whose directory this is, or is above this path; None where there is none."""
    match = _LOG_DIR.match(path)
    if not match or path[match.end() : match.end() + 1] not in ("", "/"):
        return None
    year, month, day, letters_dir, letters = match.groups()
    return SourceId(f"{year}{month}{day}-{letters}") if letters.startswith(letters_dir) else None


def is_log_folder(name: str, depth: int) -> bool:
    """Tell whether a directory of that name belongs at a depth below `logs/`: year, month, day, letters, source."""
    return _LOG_LEVELS[depth].fullmatch(name) is not None


def part_path(version: Version, kind: VersionKind, extension: str) -> str:
    """Return the path of the bytes a version brought: `…/v1.jsonl`, of an append `…/v2.part.jsonl`."""
    if not _EXTENSION.fullmatch(extension) or extension == _VIEW_EXTENSION:
        raise BadInput(f"{extension!r} is no extension that a log can have")
    return f"{_stem(version, kind)}.{extension}"


def view_path(version: Version, kind: VersionKind) -> str:
    """Return the path of the text view beside those bytes: `…/v1.text`."""
    return f"{_stem(version, kind)}.{_VIEW_EXTENSION}"


def meta_path(version: Version) -> str:
    """Return the path of what is known of a version: `…/v1.meta.json`."""
    return f"{log_dir(version.source)}/v{version.number}.meta.json"


def meta_number(name: str) -> int | None:
    """Return the version number whose meta a file name is; None where it is another file's."""
    match = _META.fullmatch(name)
    return int(match[1]) if match else None


def extension_of(name: str) -> str:
    """Return the extension under which the bytes of a file are kept: its own where it is plain, else `bin`."""
    _, dot, extension = name.rpartition("/")[2].rpartition(".")
    folded = extension.lower()
    if folded == _VIEW_EXTENSION:
        return "txt"
    return folded if dot and _EXTENSION.fullmatch(folded) else "bin"


def _stem(version: Version, kind: VersionKind) -> str:
    part = ".part" if kind is VersionKind.APPEND else ""
    return f"{log_dir(version.source)}/v{version.number}{part}"


# Ledger, records, pages


def segment_path(number: int) -> str:
    """Return the path of a segment, counted from 1: `ledger/000/000123.jsonl`."""
    if number < 1:
        raise BadInput(f"{number} is no number of a segment")
    return f"{segment_folder((number - 1) // SEGMENTS_IN_FOLDER)}/{number:06d}.jsonl"


def segment_folder(number: int) -> str:
    """Return the path of a folder of segments, counted from 0."""
    return f"{LEDGER}/{number:03d}"


def segment_number(path: str) -> int | None:
    """Return the number of the segment at a path; None where no segment belongs there."""
    match = _SEGMENT.fullmatch(path)
    number = int(match[2]) if match else 0
    return number if number and segment_path(number) == path else None


def record_path(run: RunId) -> str:
    """Return the path of a run's record: `runs/2026/11/30/r-….json`."""
    match = _RUN.fullmatch(run)
    if not match:
        raise BadInput(f"{run!r} is no run id")
    year, month, day = match.groups()
    return f"{RUNS}/{year}/{month}/{day}/{run}.json"


def run_of(path: str) -> RunId | None:
    """Return the run whose record lies at a path; None where no record belongs there."""
    match = _RECORD.fullmatch(path)
    if not match or not is_run_id(match[1]) or record_path(RunId(match[1])) != path:
        return None
    return RunId(match[1])


def is_run_id(text: str) -> bool:
    """Tell whether a text is a run id."""
    return _RUN.fullmatch(text) is not None


def page_path(slug: Slug) -> str:
    """Return the path of a page: `pages/al/alice-chen.md`."""
    if not _is_plain_slug(slug):
        raise BadInput(f"{slug!r} is no slug of a page")
    return f"{PAGES}/{slug[:2]}/{slug}.md"


def slug_of(path: str) -> Slug | None:
    """Return the slug of the page at a path; None where no page belongs there."""
    match = _PAGE.fullmatch(path)
    if not match or not _is_plain_slug(match[2]) or match[1] != match[2][:2]:
        return None
    return Slug(match[2])


def _is_plain_slug(slug: str) -> bool:
    """Tell whether a slug can only name a file in `pages/`; what else a slug must be is for `xysq.pages.slug`."""
    if not slug or any(sign in "./\\\0" or not sign.isprintable() for sign in slug):
        return False
    return len(slug.encode("utf-8", "surrogatepass")) <= MAX_SLUG_BYTES


def is_kept(path: str) -> bool:
    """Tell whether a path is one of the vault's log, segment, record or page files, which runs may change."""
    return any((source_of(folder_of(path)), segment_number(path), run_of(path), slug_of(path)))


# The private part


def wal_dir(run: RunId) -> str:
    """Return the directory of a staged or decided run."""
    return f"{WAL}/{_checked(run)}"


def refused_dir(run: RunId) -> str:
    """Return the directory of a refused run."""
    return f"{REFUSED}/{_checked(run)}"


def damaged_dir(run: RunId) -> str:
    """Return the directory in which a run with a damaged record is kept aside."""
    return f"{DAMAGED}/{_checked(run)}"


def landed_path(version: Version) -> str:
    """Return the path of the marker of a version that landed and is not in the read model yet."""
    log_dir(version.source)
    return f"{LANDED}/{version}"


def attempts_path(row: Row) -> str:
    """Return the path of what is remembered of a row that was refused."""
    log_dir(row.source)
    return f"{ATTEMPTS}/{row.source}@{row.version}_{row.start}-{row.end}.json"


def lookup_path(key: str) -> str:
    """Return the path of the entry that leads from a look-up key to a source."""
    digest = sha256_hex(key.encode("utf-8", "surrogatepass"))
    return f"{SOURCES}/{digest[:2]}/{digest}.json"


def source_lock_path(key: str) -> str:
    """Return the path of the lock of a look-up key."""
    digest = sha256_hex(key.encode("utf-8", "surrogatepass"))
    return f"{SOURCES}/{digest[:2]}/{digest}.lock"


def _checked(run: RunId) -> RunId:
    if not is_run_id(run):
        raise BadInput(f"{run!r} is no run id")
    return run
