"""Tools that keep: words word for word, corrections of them, facts the agent itself draws from them."""

import queue
import threading
from typing import Any

from xysq.errors import BadInput, Refused, XysqError
from xysq.mcp.desk import Desk
from xysq.mcp.facts import run_data, run_lines
from xysq.mcp.reply import Reply, answered, cut, failed, fitting, guarded, left_out, listed
from xysq.model.report import Pushed, Wait
from xysq.model.source import Version
from xysq.model.wire import Fields, number_item
from xysq.text import safe_line
from xysq.vault.api import Vault
from xysq.vault.options import PushOptions

DISTIL_WITHIN_S = 20.0
MOST_CHARACTERS = 16 * 1024 * 1024
_LONGEST_NAME = 200
_BEGINNING_TOKENS = 20
_PASSAGES_TOKENS = 1_500


class NotSearchable(XysqError):
    """Words are kept, and cannot be searched yet."""

    code = "not-searchable"
    exit_status = 3

    def __init__(self, version: Version, why: str) -> None:
        """Name the version that keeps them, and what is in the way."""
        super().__init__(f"the words are kept as {version}, and cannot be searched yet: {why}", "call again later")


# push_context


def push_context(desk: Desk, given: Fields) -> Reply:
    """Keep content; answer when it is durable, can be searched, or is distilled."""
    content, title = given.text("content"), given.optional_text("title")
    session, sequence = given.optional("metadata", _session) or ("", None)
    wait = given.optional("wait", _wait) or Wait.LANDED
    given.done()
    if not content.strip():
        raise BadInput("empty content says nothing")
    if len(content) > MOST_CHARACTERS:
        raise BadInput(f"content of {len(content):,} characters is too long", "push it in pieces of one session")
    options = PushOptions(title=title, wait=Wait.LANDED)
    if session:
        options |= PushOptions(source=f"mcp:{session}", piecewise=True, sequence=sequence)
    with desk.vault(Vault) as vault:
        landed = vault.push_text(content, **options)
        data = _pushed_data(landed)
        if wait is Wait.LANDED:
            return answered(data, [_pushed_line(landed)], vault.notices)
        try:
            pushed = _searchable(vault, landed)
        except XysqError as error:
            return failed(NotSearchable(landed.version, error.sentence), {**data, "because": error.told()})
        data |= {"searchable": True}
        passages, more = _passages(vault, pushed.version)
        data |= {"passages": passages, "passages_left_out": more}
        lines = [_pushed_line(pushed), *listed(passages, lambda one: f"{one['id']} {one['begins']}")]
        lines += left_out(more, "passages", f"fetch {pushed.version}")
        if wait is Wait.INDEXED:
            return answered(data, lines, vault.notices)
    return _distilled(desk, pushed, data, lines)


def _wait(where: str, value: object) -> Wait:
    return Fields(where, {"": value}).choice("", Wait)


def _session(where: str, value: object) -> tuple[str, int | None]:
    fields = Fields(where, value)
    session, sequence = fields.optional_text("session_id") or "", fields.optional("sequence", number_item)
    fields.done()
    if len(session) > _LONGEST_NAME:
        raise BadInput(f"a session_id of more than {_LONGEST_NAME} characters is no name")
    if sequence is not None and not session:
        raise BadInput("a sequence numbers pieces of a session", "give metadata.session_id too")
    return session, sequence


def _searchable(vault: Vault, landed: Pushed) -> Pushed:
    """Wait until a search finds what was pushed."""
    (pushed,) = vault.follow((landed,), Wait.INDEXED)
    if pushed.passages is None:
        raise NotSearchable(landed.version, "; ".join(vault.notices) or "the index is behind")
    return pushed


def _pushed_data(pushed: Pushed) -> dict[str, Any]:
    return {
        "source": pushed.source,
        "version": str(pushed.version),
        "kept": "unchanged" if pushed.kind is None else pushed.kind.value,
        "stored_bytes": pushed.gained,
        "searchable": False,
    }


def _pushed_line(pushed: Pushed) -> str:
    if pushed.kind is None:
        return f"kept before as {pushed.version}"
    return f"kept {pushed.gained:,} bytes as {pushed.version} ({pushed.kind.value})"


def _passages(vault: Vault, version: Version) -> tuple[list[Any], int]:
    """Return the passages that came with a version, as quotes name them, and how many there is no room for."""
    told = [
        {
            "id": str(passage),
            "who": passage.speaker or passage.role.value,
            "begins": cut(safe_line(passage.text), _BEGINNING_TOKENS),
        }
        for passage in vault.brought(version)
    ]
    return fitting(told, _PASSAGES_TOKENS)


def _distilled(desk: Desk, pushed: Pushed, data: dict[str, Any], lines: list[str]) -> Reply:
    """Distil what is pending; where that takes long, answer before it is done."""
    ended: queue.SimpleQueue[Reply] = queue.SimpleQueue()

    def distil() -> None:
        reply = guarded(lambda: _runs(desk, pushed, data, lines), {**data, "distilled": "pending"})
        ended.put(reply)
        if reply.is_error:
            desk.note_unseen(reply.text.partition("\n")[0])

    threading.Thread(target=distil, name="distil", daemon=True).start()
    try:
        return ended.get(timeout=DISTIL_WITHIN_S)
    except queue.Empty:
        return answered({**data, "distilled": "pending"}, [*lines, "distilling goes on; status shows what is pending"])


def _runs(desk: Desk, pushed: Pushed, data: dict[str, Any], lines: list[str]) -> Reply:
    """Distil, one at a time, and tell of the runs that are about what was pushed."""
    with desk.distilling, desk.vault(Vault) as vault:
        reports = vault.distill()
        notices = tuple(vault.notices)
    runs = [run for run in reports if any(row.source == pushed.source for row in run.rows)]
    told, more = fitting(map(run_data, runs))
    said = [line for run in runs[: len(told)] for line in run_lines(run)]
    return answered({**data, "distilled": "done", "runs": told, "runs_left_out": more}, [*lines, *said], notices)


# correct_source


def correct_source(desk: Desk, given: Fields) -> Reply:
    """Correct what a source says; facts that rested on the words that go are closed."""
    source = given.text("source")
    words, content = given.optional("replace", _replacement), given.optional_text("content")
    given.done()
    if (words is None) == (content is None):
        raise BadInput("give one of replace and content")
    with desk.vault(Vault) as vault:
        if words is None:
            done = vault.correct(source, data=(content or "").encode("utf-8"))
        else:
            old, new, everywhere, passage = words
            done = vault.correct(source, replace=(old, new), everywhere=everywhere, passage=passage)
        notices = tuple(vault.notices)
    if done.run is None:
        return answered({"version": None, "run": None}, ["unchanged: the source has these bytes already"], notices)
    data = {"version": None if done.version is None else str(done.version), "run": run_data(done.run)}
    if done.run.refusals:
        return failed(Refused("the gates refused the correction"), data)
    return answered(data, [f"corrected as {done.version}", *run_lines(done.run)], notices)


def _replacement(where: str, value: object) -> tuple[str, str, bool, int | None]:
    fields = Fields(where, value)
    old, new = fields.text("old"), fields.text("new")
    everywhere = fields.optional("everywhere", _flag) or False
    passage = fields.optional("passage", number_item)
    fields.done()
    return old, new, everywhere, passage


def _flag(where: str, value: object) -> bool:
    return Fields(where, {"": value}).flag("")


# propose_facts


def propose_facts(desk: Desk, given: Fields) -> Reply:
    """Take the agent's own draft; the planner, the quarantine and the gates are those of every draft."""
    proposal = {key: given.value(key) for key in ("facts", "closes") if given.has(key)}
    given.done()
    with desk.vault(Vault) as vault:
        report = vault.propose(proposal, by=desk.client)
        notices = tuple(vault.notices)
    data = run_data(report)
    if report.refusals:
        return failed(Refused("the gates refused the proposal; nothing of it landed"), data)
    return answered(data, run_lines(report), notices)
