"""Schema: the tables of the read model.

Everything here is derived: from the logs (`sources` to `unreadable`) and from the ledger (`runs` to `prose_from`).
`stamp` says of which vault, which commit and which end of the ledger. Columns hold what queries look for; whole
values stand beside them as JSON. The `…_words` tables are the search index: FTS5 without content of its own, by
the number of the row it is about.

A *base* is the version that begins a chain of appends; versions of one chain share their offsets. A passage is read
in every version of its chain from the one that brought it up to, not including, `until`. `cite_from` and `cite_to`
bound what quotes of it cite, in the text view where `cite_text` is 1. `covered` has the rows of runs; those that a
revert made work again are `reopened`. `cites` has each quote of a fact where it was
cited and once more for each later base that kept its bytes, so that newer passages know what became of their words.
`damaged` has the sources that could not be read when they were to be put, so that nobody takes them for absent.
`speakers` leads from each word of a folded name to the whole of it.
"""

from xysq.terms import SPELLING, TOKENIZER

APPLICATION_ID = 0x78797371
SCHEMA_VERSION = 100 * SPELLING + 3

TABLES = (
    """CREATE TABLE stamp (
        one INTEGER PRIMARY KEY CHECK (one = 1), vault TEXT NOT NULL, ready INTEGER NOT NULL,
        "commit" TEXT NOT NULL, n INTEGER NOT NULL, hash TEXT NOT NULL)""",
    """CREATE TABLE sources (
        source TEXT PRIMARY KEY, newest INTEGER NOT NULL, due INTEGER NOT NULL, name TEXT NOT NULL,
        title TEXT NOT NULL, origin TEXT NOT NULL, project TEXT NOT NULL, session TEXT NOT NULL,
        pushed_at TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE INDEX sources_due ON sources (source) WHERE due = 1",
    "CREATE INDEX sources_name ON sources (name) WHERE name <> ''",
    """CREATE TABLE versions (
        source TEXT NOT NULL, number INTEGER NOT NULL, base INTEGER NOT NULL, kind TEXT NOT NULL,
        pushed_at TEXT NOT NULL, project TEXT NOT NULL, meta TEXT NOT NULL,
        PRIMARY KEY (source, number)) WITHOUT ROWID""",
    """CREATE TABLE passages (
        id INTEGER PRIMARY KEY, source TEXT NOT NULL, version INTEGER NOT NULL, base INTEGER NOT NULL,
        number INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, speaker TEXT NOT NULL,
        speaker_folded TEXT NOT NULL, role TEXT NOT NULL, at TEXT, moment TEXT NOT NULL, native TEXT NOT NULL,
        own INTEGER NOT NULL, after_recall INTEGER NOT NULL, session_kind TEXT NOT NULL,
        cite_text INTEGER NOT NULL, cite_from INTEGER NOT NULL, cite_to INTEGER NOT NULL,
        until INTEGER, listed INTEGER NOT NULL, text TEXT NOT NULL, spans TEXT NOT NULL)""",
    "CREATE INDEX passages_number ON passages (source, base, number)",
    "CREATE INDEX passages_start ON passages (source, base, start)",
    "CREATE INDEX passages_view ON passages (source, base, cite_from) WHERE cite_text = 1",
    "CREATE INDEX passages_native ON passages (source, native) WHERE native <> ''",
    """CREATE TABLE speakers (
        name TEXT NOT NULL, speaker TEXT NOT NULL, PRIMARY KEY (name, speaker)) WITHOUT ROWID""",
    """CREATE TABLE unreadable (
        source TEXT NOT NULL, version INTEGER NOT NULL, "offset" INTEGER NOT NULL, reason TEXT NOT NULL)""",
    "CREATE INDEX unreadable_of ON unreadable (source, version)",
    "CREATE TABLE damaged (source TEXT PRIMARY KEY, sentence TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE runs (
        n INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, at TEXT NOT NULL,
        events INTEGER NOT NULL, drafter TEXT NOT NULL, rows TEXT NOT NULL, asserted INTEGER NOT NULL,
        superseded INTEGER NOT NULL, closed INTEGER NOT NULL, confirmed INTEGER NOT NULL, prose INTEGER NOT NULL,
        "commit" TEXT NOT NULL, reverts TEXT NOT NULL)""",
    "CREATE INDEX runs_reverts ON runs (reverts) WHERE reverts <> ''",
    """CREATE TABLE run_pages (
        page TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (page, n)) WITHOUT ROWID""",
    """CREATE TABLE covered (
        source TEXT NOT NULL, version INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        n INTEGER NOT NULL, reopened INTEGER NOT NULL)""",
    "CREATE INDEX covered_of ON covered (source, version)",
    """CREATE TABLE facts (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, page TEXT NOT NULL, attribute TEXT NOT NULL,
        value TEXT NOT NULL, text TEXT NOT NULL, is_open INTEGER NOT NULL, label TEXT NOT NULL, run TEXT NOT NULL,
        observed TEXT, moment TEXT NOT NULL, successor TEXT, ending TEXT NOT NULL, wire TEXT NOT NULL)""",
    "CREATE INDEX facts_page ON facts (page, n)",
    "CREATE INDEX facts_attribute ON facts (attribute, n)",
    "CREATE INDEX facts_text ON facts (text)",
    "CREATE INDEX facts_run ON facts (run)",
    """CREATE TABLE cites (
        fact INTEGER NOT NULL, source TEXT NOT NULL, base INTEGER NOT NULL, cite_text INTEGER NOT NULL,
        start INTEGER NOT NULL, "end" INTEGER NOT NULL, version INTEGER NOT NULL, image INTEGER NOT NULL)""",
    "CREATE INDEX cites_place ON cites (source, base, start)",
    "CREATE INDEX cites_fact ON cites (fact)",
    """CREATE TABLE resting (
        premise TEXT NOT NULL, n INTEGER NOT NULL, fact TEXT NOT NULL, PRIMARY KEY (premise, n)) WITHOUT ROWID""",
    """CREATE TABLE pages (
        slug TEXT PRIMARY KEY, title TEXT NOT NULL, kind TEXT NOT NULL, living INTEGER NOT NULL,
        open_facts INTEGER NOT NULL, changed_at TEXT NOT NULL, wire TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE names (folded TEXT NOT NULL, slug TEXT NOT NULL, PRIMARY KEY (folded, slug)) WITHOUT ROWID",
    "CREATE INDEX names_slug ON names (slug)",
    "CREATE TABLE blocks (block TEXT PRIMARY KEY, page TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE prose (
        id INTEGER PRIMARY KEY, block TEXT NOT NULL UNIQUE, page TEXT NOT NULL, origin TEXT NOT NULL,
        code TEXT NOT NULL, text TEXT NOT NULL, moment TEXT NOT NULL)""",
    "CREATE INDEX prose_page ON prose (page)",
    """CREATE TABLE prose_from (
        block TEXT NOT NULL, source TEXT NOT NULL, version INTEGER NOT NULL, start INTEGER NOT NULL,
        "end" INTEGER NOT NULL, is_quote INTEGER NOT NULL)""",
    "CREATE INDEX prose_from_source ON prose_from (source)",
    "CREATE INDEX prose_from_block ON prose_from (block)",
    *(
        f'CREATE VIRTUAL TABLE {name}_words USING fts5(words, parts, content="", tokenize="{TOKENIZER}")'
        for name in ("passage", "fact", "prose")
    ),
)
