import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from tests.builders import VAULT, Story
from tests.modelled import modelled, put_story, put_turns
from tests.store.logs_of import SOURCE
from xysq.errors import BadInput, Busy
from xysq.model.fact import FactId
from xysq.model.source import SourceId, Version, VersionKind
from xysq.store.readmodel import ReadModel, ReadModelDamaged, ReadModelFailed, Stamp, Unusable
from xysq.store.readmodel import generation as files


def open_(path: Path, vault_id: str = VAULT) -> ReadModel:
    """Open what is there, or fail the test."""
    model = ReadModel.open(path, vault_id, create=False)
    assert not isinstance(model, Unusable), model.reason
    return model


def reason(path: Path, vault_id: str = VAULT) -> str:
    """Return why nothing can be opened."""
    model = ReadModel.open(path, vault_id, create=False)
    assert isinstance(model, Unusable)
    return model.reason


def test_a_new_one_is_empty_and_private(quick_path: Path) -> None:
    with modelled(quick_path) as model, model.reading() as state:
        assert state.stamp() == Stamp(commit="", head=state.ledger.head())
        assert state.ledger.head().n == 0
        assert state.lists.totals().passages == 0
    assert stat.S_IMODE((quick_path / "model").stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in (quick_path / "model").iterdir())


def test_what_was_written_is_there_when_it_is_opened_again(quick_path: Path) -> None:
    story = Story()
    story.page("alice").assert_("f-0000000001")
    with modelled(quick_path) as model, model.writing() as writer:
        put_story(writer, story, commit="c1")
        put_turns(writer, "Alice: I live in Boston.")
    model = open_(quick_path / "model")
    with model.reading() as state:
        assert state.stamp() == Stamp(commit="c1", head=story.fold.head())
        assert state.logs.count(Version(SOURCE, 1)) == 1
    model.close()


def stop_half_way(model: ReadModel) -> None:
    with model.writing() as writer:
        put_turns(writer, "Alice: Hello.")
        raise RuntimeError


def test_a_block_that_raises_changes_nothing(quick_path: Path) -> None:
    with modelled(quick_path) as model:
        with pytest.raises(RuntimeError):
            stop_half_way(model)
        with model.reading() as state:
            assert state.logs.sources() == ()


def test_a_reader_sees_the_state_it_began_with(quick_path: Path) -> None:
    with modelled(quick_path) as model:
        with model.writing() as writer:
            put_turns(writer, "Alice: One.")
            with model.reading() as before:
                assert before.logs.sources() == ()
        with model.reading() as state:
            with model.writing() as writer:
                put_turns(writer, "Alice: Two.", kind=VersionKind.UPDATE)
            assert state.logs.newest(SOURCE) == 1
        with model.reading() as after:
            assert after.logs.newest(SOURCE) == 2


def test_the_writer_sees_its_own_changes(quick_path: Path) -> None:
    with modelled(quick_path) as model, model.writing() as writer:
        put_turns(writer, "Alice: One.")
        assert writer.state.logs.newest(SOURCE) == 1


def test_threads_read_while_one_writes(quick_path: Path) -> None:
    seen: list[int] = []

    def look(model: ReadModel) -> None:
        for _ in range(20):
            with model.reading() as state:
                seen.append(state.lists.totals().passages)

    with modelled(quick_path) as model:
        threads = [threading.Thread(target=look, args=(model,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(10):
            with model.writing() as writer:
                put_turns(writer, "Alice: One.", "Bob: Two.", source=SourceId(f"20261130-{number:06d}"))
        for thread in threads:
            thread.join()
    assert len(seen) == 80
    assert all(count % 2 == 0 for count in seen)


def test_a_second_writer_is_told_to_come_back(quick_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BUSY_TIMEOUT_S", 0.01)
    with modelled(quick_path) as model, model.writing(), pytest.raises(Busy), model.writing():
        pass


def test_it_is_believed_only_of_its_own_vault(quick_path: Path) -> None:
    with modelled(quick_path):
        pass
    assert reason(quick_path / "model", "another") == "it is of another vault"


def test_there_may_be_none(quick_path: Path) -> None:
    assert "is not there" in reason(quick_path / "model")
    files.make_private(quick_path / "model")
    assert reason(quick_path / "model") == "there is none yet"


def test_one_of_another_version_is_not_believed(quick_path: Path) -> None:
    with modelled(quick_path):
        pass
    connection = sqlite3.connect(files.file_of(quick_path / "model", 1))
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    assert reason(quick_path / "model") == "it was made by another version of xysq"


@pytest.mark.parametrize("damage", [b"", b"nonsense" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_file_is_not_believed_and_made_again(quick_path: Path, damage: bytes) -> None:
    with modelled(quick_path):
        pass
    files.file_of(quick_path / "model", 1).write_bytes(damage)
    reason(quick_path / "model")
    with ReadModel.rebuild(quick_path / "model", VAULT) as model, model.writing() as writer:
        put_turns(writer, "Alice: Hello.")
    found = open_(quick_path / "model")
    with found.reading() as state:
        assert state.lists.totals().passages == 1
    found.close()
    model.close()


def test_damage_met_while_reading_is_named_as_such(quick_path: Path) -> None:
    story = Story()
    story.page("alice").assert_("f-0000000001")
    with modelled(quick_path) as model:
        with model.writing() as writer:
            put_story(writer, story)
            writer._connection.execute("UPDATE facts SET wire = '{'")
        with pytest.raises(ReadModelDamaged, match="fact f-0000000001"), model.reading() as state:
            state.ledger.fact(FactId("f-0000000001"))


def read_everything(model: ReadModel) -> None:
    with model.reading() as state:
        for line in state.logs.sources():
            state.logs.passages(Version(line.source, 1))


def test_a_torn_page_is_damage(quick_path: Path) -> None:
    with modelled(quick_path) as model, model.writing() as writer:
        for number in range(40):
            put_turns(
                writer, *[f"Alice: word {n} {number}" for n in range(20)], source=SourceId(f"20261130-{number:06d}")
            )
    file = files.file_of(quick_path / "model", 1)
    data = bytearray(file.read_bytes())
    behind_the_schema = len(data) * 3 // 4 // 4096 * 4096
    for place in range(behind_the_schema, len(data), 4096):
        data[place : place + 64] = b"\xa5" * 64
    file.write_bytes(data)
    found = open_(quick_path / "model")
    with pytest.raises(ReadModelFailed):
        read_everything(found)
    found.close()


def test_readers_keep_the_old_one_until_the_new_one_is_whole(quick_path: Path) -> None:
    with modelled(quick_path) as model:
        with model.writing() as writer:
            put_turns(writer, "Alice: One.")
        with ReadModel.rebuild(quick_path / "model", VAULT) as fresh:
            with fresh.writing() as writer:
                put_turns(writer, "Alice: One.", "Bob: Two.")
            other = open_(quick_path / "model")
            with other.reading() as state:
                assert state.lists.totals().passages == 1
            other.close()
        with model.reading() as state:
            assert state.lists.totals().passages == 2
        assert files.generations(quick_path / "model") == (2,)
        fresh.close()


def test_a_rebuild_that_fails_leaves_what_was_there(quick_path: Path) -> None:
    with modelled(quick_path) as model:
        with model.writing() as writer:
            put_turns(writer, "Alice: One.")
        with pytest.raises(RuntimeError), ReadModel.rebuild(quick_path / "model", VAULT):
            raise RuntimeError
        assert files.generations(quick_path / "model") == (1,)
        with model.reading() as state:
            assert state.lists.totals().passages == 1


def test_a_rebuild_cut_short_is_never_believed(quick_path: Path) -> None:
    with modelled(quick_path) as model, model.writing() as writer:
        put_turns(writer, "Alice: One.")
    files.create(quick_path / "model", VAULT, ready=False)
    found = open_(quick_path / "model")
    with found.reading() as state:
        assert state.lists.totals().passages == 1
    found.close()
    with ReadModel.rebuild(quick_path / "model", VAULT) as fresh:
        pass
    fresh.close()
    assert files.generations(quick_path / "model") == (3,)


def test_without_any_left_a_reader_says_what_to_type(quick_path: Path) -> None:
    with modelled(quick_path) as model:
        files.remove(quick_path / "model", 1)
        with pytest.raises(ReadModelFailed, match="there is none yet") as failure, model.reading():
            pass
        assert failure.value.hint == "run: xysq reindex"


def test_a_directory_open_to_others_is_not_believed(quick_path: Path) -> None:
    with modelled(quick_path):
        pass
    (quick_path / "model").chmod(0o755)
    assert "is open to others" in reason(quick_path / "model")
    with pytest.raises(BadInput, match="is open to others"):
        ReadModel.open(quick_path / "model", VAULT)


def test_a_link_is_no_directory_of_ours(quick_path: Path) -> None:
    with modelled(quick_path):
        pass
    (quick_path / "link").symlink_to(quick_path / "model")
    assert "is no directory" in reason(quick_path / "link")
