"""Typed front matter: title, kind and aliases as a person, or an editor's form, wrote them in YAML."""

from xysq.pages.front import Front, parse_front
from xysq.pages.typed import TypedFault, TypedPage
from xysq.store.yaml import BadSettings, Entries, Items, Node, Word, read

_NOTHING = ("", "null", "~")
_KEYS = ("title", "kind", "aliases")


def front_of(typed: TypedPage) -> Front | TypedFault | None:
    """Return what the front matter of a file says; None where it has none, the fault where it cannot be kept."""
    if not typed.front:
        return None
    strict = parse_front(typed.front)
    if strict is not None:
        return strict
    try:
        entries = read("\n".join((*typed.front[1:-1], "")).encode(), "front matter")
        return _front(entries)
    except BadSettings as error:
        sentence = error.sentence.partition(": ")[2]
        return TypedFault(line=error.line + 1, code="front-matter", sentence=f"the front matter {sentence}")


def _front(entries: Entries) -> Front:
    values = {key.text: node for key, node in entries.pairs}
    for key, _ in entries.pairs:
        if key.text not in _KEYS:
            raise BadSettings("", key.line, f"has {key.text!r}, and only title, kind and aliases are kept")
    if "title" not in values:
        raise BadSettings("", entries.line, "has no title")
    return Front(
        title=_word(values["title"]),
        kind=_word(values["kind"]) if "kind" in values else "",
        aliases=_words(values["aliases"]) if "aliases" in values else (),
    )


def _word(node: Node) -> str:
    if not isinstance(node, Word):
        raise BadSettings("", node.line, "has a list or a table where a word belongs")
    return "" if node.is_bare and node.text in _NOTHING else node.text


def _words(node: Node) -> tuple[str, ...]:
    nodes = node.nodes if isinstance(node, Items) else (node,)
    return tuple(filter(None, map(_word, nodes)))
