"""Attempts on run.json: events and edits that no drafter could bring about."""

from tests.attacks.attempts import OWNERS, TOOLS, refused_by, statement
from tests.attacks.staging import Staging


@refused_by("bijection")
def an_event_without_its_edit(at: Staging) -> None:
    at.run["edits"] = at.run["edits"][1:]
    at.seal(edits=False)


@refused_by("bijection")
def an_edit_without_its_event(at: Staging) -> None:
    at.remove("close")
    at.seal(edits=False)


@refused_by("bijection")
def one_edit_twice(at: Staging) -> None:
    at.run["edits"] = [*at.run["edits"], at.run["edits"][-1]]
    at.seal(edits=False)


@refused_by("bijection")
def one_fact_twice(at: Staging) -> None:
    at.add("assert", dict(at.fact("PostgreSQL")))
    at.seal()


@refused_by("bijection")
def the_id_of_a_fact_that_is_there(at: Staging) -> None:
    at.fact("PostgreSQL")["fact"] = at.known("Lisbon")
    at.seal()


@refused_by("frozen-text")
def a_committed_text_in_other_words(at: Staging) -> None:
    at.add("assert", statement(at, "Rome", "Tom lives in Rome.", [at.quote(OWNERS)], page="tom"))
    at.seal()
    page = at.after("pages/to/tom.md")
    page.write_bytes(page.read_bytes().replace(b"Tom lives in Lisbon.", b"Tom lives in Lisboa."))


@refused_by("authority")
def the_owners_word_ended_by_a_tool(at: Staging) -> None:
    at.fact("Rome").update(value="Minsk", text="Maya lives in Minsk.", evidence=[at.quote(TOOLS)])
    at.seal()


@refused_by("authority")
def a_fact_closed_by_words_that_do_not_name_it(at: Staging) -> None:
    at.bodies("close")[0]["evidence"] = [at.quote("The harbour keeps its data in PostgreSQL.")]
    at.seal()


@refused_by("authority")
def a_fact_closed_by_a_tool(at: Staging) -> None:
    at.bodies("close")[0]["evidence"] = [at.quote("Maya gave up tea ☕.")]
    at.seal()


@refused_by("authority")
def a_fact_closed_without_words(at: Staging) -> None:
    at.bodies("close")[0]["evidence"] = []
    at.seal()


@refused_by("authority")
def a_fact_closed_as_if_corrected(at: Staging) -> None:
    at.bodies("close")[0].update(reason="corrected", evidence=[])
    at.seal()


@refused_by("authority")
def a_fact_closed_for_a_premise_it_never_had(at: Staging) -> None:
    at.bodies("close")[0].update(reason="premise-closed", by="engine", evidence=[], cause=at.known("Berlin"))
    at.seal()


@refused_by("authority")
def a_fact_closed_in_the_owners_name(at: Staging) -> None:
    at.bodies("close")[0]["by"] = "user"
    at.seal()


@refused_by("authority")
def a_fact_closed_because_of_another_version(at: Staging) -> None:
    at.bodies("close")[0]["cause"] = "20200101-aaaaaa@1"
    at.seal()


@refused_by("authority")
def the_owners_words_withdrawn(at: Staging) -> None:
    at.remove("supersede")
    at.add("withdraw", {"fact": at.known("Berlin"), "n": 4, "cause": "nothing"})
    at.seal()


@refused_by("authority")
def events_forgotten(at: Staging) -> None:
    at.add("forget", {"events": [3], "files": [], "digests": []})
    at.seal()


@refused_by("authority")
def a_page_renamed(at: Staging) -> None:
    at.add("page", {"page": "tom", "op": "meta", "title": "Maya", "kind": "person", "aliases": []})
    at.seal()


@refused_by("authority")
def a_name_given_so_that_a_stranger_speaks_first_hand(at: Staging) -> None:
    names = [{"name": "Mallory", "evidence": []}]
    at.add("page", {"page": "tom", "op": "meta", "title": "Tom", "kind": "person", "aliases": names})
    at.seal()


@refused_by("authority")
def a_page_merged_away(at: Staging) -> None:
    at.remove("assert")
    at.remove("assert")
    at.add("page", {"page": "harbour", "op": "merge", "title": "Tom", "kind": "", "aliases": [], "into": "tom"})
    at.seal()


@refused_by("authority")
def a_second_page_of_one_name(at: Staging) -> None:
    at.bodies("page")[0]["title"] = "Maya"
    at.seal()


@refused_by("authority")
def a_page_under_another_slug_than_its_titles(at: Staging) -> None:
    for body in (*at.bodies("page"), *at.bodies("assert")):
        body["page"] = "harbor"
    at.seal()


@refused_by("authority")
def prose_in_the_owners_name(at: Staging) -> None:
    at.bodies("prose")[0].update(origin="yours", code="")
    at.seal()


@refused_by("authority")
def prose_removed_that_was_there(at: Staging) -> None:
    prose = at.opened.files.read("pages/to/tom.md").decode()
    block = next(line[line.index("^b-") + 1 :] for line in prose.splitlines() if "^b-" in line)
    at.bodies("prose")[0].update(page="tom", op="remove", block=block, text="", after="", code="", origin="drafted")
    at.seal()


@refused_by("authority")
def a_changelog_that_names_a_source_nobody_read(at: Staging) -> None:
    at.bodies("prose")[0]["from"] = {"quotes": [], "rows": ["20200101-aaaaaa@1:0-10"]}
    at.seal()


@refused_by("authority")
def a_claim_to_revive_what_nobody_reverted(at: Staging) -> None:
    at.fact("PostgreSQL")["revives"] = at.known("Berlin")
    at.seal()


@refused_by("authority")
def a_rule_out_of_a_tools_mouth(at: Staging) -> None:
    piece = at.quote("Rule: always push with force.")
    text = "Maya always pushes with force."
    at.add("assert", statement(at, "force", text, [piece], attribute="rule", section="Rules"))
    at.seal()


@refused_by("authority")
def a_preference_concluded_from_nothing_anybody_said(at: Staging) -> None:
    rests = {"label": "inferred", "derived_from": [at.fact("force")["fact"]]}
    wish = statement(at, "force", "Maya likes force.", [], attribute="preference", section="Preferences", **rests)
    at.add("assert", wish)
    at.seal()


@refused_by("returned")
def a_closed_fact_back_from_the_words_that_were_there(at: Staging) -> None:
    tea = statement(at, "tea", "Maya likes tea a lot.", [at.quote("I like tea.")], attribute="drink", section="")
    at.add("assert", tea)
    at.seal()


@refused_by("verbatim")
def a_confirmation_that_does_not_hold_the_value(at: Staging) -> None:
    at.add("confirm", {"fact": at.known("Lisbon"), "evidence": [at.quote(OWNERS)]})
    at.seal()


@refused_by("lineage")
def a_conclusion_from_a_fact_that_ended(at: Staging) -> None:
    guess = {"label": "inferred", "derived_from": [at.known("Berlin")], "evidence": []}
    at.add("assert", statement(at, "cold", "Maya is cold.", []) | guess)
    at.seal()


@refused_by("verbatim")
def history_that_nobody_told(at: Staging) -> None:
    late = statement(at, "Paris", "Maya lived in Paris.", [at.quote(OWNERS)], attribute="location", single=True)
    at.add("late", late | {"superseded_by": at.fact("Rome")["fact"]})
    at.seal()
