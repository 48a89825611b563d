import json
import os
import sys
import time
from pathlib import Path

import pytest

from tests.builders import passage
from tests.drafters.asking import asked
from xysq.drafters.command import STDERR_KEPT_BYTES, CommandDrafter
from xysq.errors import BadDraft, DrafterUnreachable
from xysq.model.draft import MAX_DRAFT_BYTES, Draft

REQUEST = asked(passage("I live in Porto."))


def _program(code: str, timeout_s: float = 30.0, **environment: str) -> CommandDrafter:
    return CommandDrafter(name="mine", argv=(sys.executable, "-c", code), timeout_s=timeout_s, environment=environment)


def test_a_program_reads_the_request_and_its_output_is_the_reply() -> None:
    code = (
        "import json, sys\n"
        "request = json.load(sys.stdin)\n"
        "words = request['passages'][0]['sentences'][0]['text']\n"
        "fact = {'ref': '1', 'subject': 'I', 'attribute': 'location', 'value': 'Porto', 'text': words,\n"
        "        'label': 'stated', 'quotes': [{'passage': 1, 'sentence': 1}]}\n"
        "print(json.dumps({'facts': [fact]}))\n"
    )
    answer = _program(code).draft(REQUEST)
    assert Draft.parse(answer.reply).facts[0].text == "I live in Porto."
    assert answer.drafting.drafter == "mine"
    assert len(answer.drafting.prompt_sha256) == 64


def test_a_program_that_does_not_read_its_input_may_answer() -> None:
    assert _program("print('{}')").draft(asked(passage("x " * 400_000))).reply == b"{}\n"


def test_only_path_home_and_lang_are_passed_on() -> None:
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    reply = (
        _program(code, PATH="/bin", HOME="/nowhere", LANG="C", SECRET_TOKEN="x", LD_PRELOAD="y").draft(REQUEST).reply
    )
    assert set(json.loads(reply)) - {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"} == {"PATH", "HOME", "LANG"}


def test_no_shell_reads_the_words_of_the_command(tmp_path: Path) -> None:
    target = tmp_path / "made"
    code = "import sys; print(sys.argv[1])"
    drafter = CommandDrafter(
        name="mine", argv=(sys.executable, "-c", code, f"$(touch {target}); `touch {target}`"), timeout_s=30.0
    )
    assert b"$(touch" in drafter.draft(REQUEST).reply
    assert not target.exists()


def test_a_program_that_is_not_there_is_unreachable() -> None:
    drafter = CommandDrafter(name="mine", argv=("/no/such/program",), timeout_s=1.0)
    with pytest.raises(DrafterUnreachable, match="/no/such/program"):
        drafter.draft(REQUEST)


@pytest.mark.parametrize("argv", [(), ("a\0b",)])
def test_a_command_that_is_none_is_unreachable(argv: tuple[str, ...]) -> None:
    with pytest.raises(DrafterUnreachable):
        CommandDrafter(name="mine", argv=argv, timeout_s=1.0).draft(REQUEST)


def test_a_failing_program_is_a_bad_draft_with_its_complaint_made_safe() -> None:
    code = "import sys; sys.stderr.write('no model \\x1b[31mloaded\\n'); sys.exit(7)"
    with pytest.raises(BadDraft) as caught:
        _program(code).draft(REQUEST)
    assert "status 7" in caught.value.sentence
    assert "no model \\x1b[31mloaded" in caught.value.sentence


def test_of_a_long_complaint_the_end_is_kept() -> None:
    code = "import sys; sys.stderr.write('x' * 100_000 + 'the end'); sys.exit(1)"
    with pytest.raises(BadDraft) as caught:
        _program(code).draft(REQUEST)
    assert caught.value.sentence.endswith("the end")
    assert len(caught.value.sentence) < STDERR_KEPT_BYTES + 200


def test_too_much_output_is_a_bad_draft() -> None:
    code = f"import sys; sys.stdout.write('x' * {MAX_DRAFT_BYTES + 1})"
    with pytest.raises(BadDraft, match="more than"):
        _program(code).draft(REQUEST)


def test_the_largest_output_is_taken() -> None:
    assert (
        len(_program(f"import sys; sys.stdout.write('x' * {MAX_DRAFT_BYTES})").draft(REQUEST).reply) == MAX_DRAFT_BYTES
    )


def test_a_program_out_of_time_is_a_bad_draft() -> None:
    with pytest.raises(BadDraft, match=r"did not answer in 0\.5 s"):
        _program("import time; time.sleep(60)", timeout_s=0.5).draft(REQUEST)


def test_a_program_that_is_ended_takes_its_children_along(tmp_path: Path) -> None:
    noted = tmp_path / "child"
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(noted)!r}, 'w').write(str(child.pid))\n"
        f"sys.stdout.write('x' * {MAX_DRAFT_BYTES + 1})\n"
        "time.sleep(60)\n"
    )
    with pytest.raises(BadDraft, match="more than"):
        _program(code).draft(REQUEST)
    child = int(noted.read_text())
    for _ in range(200):
        if not _runs(child):
            return
        time.sleep(0.05)
    pytest.fail("the child still runs")


def test_a_child_that_keeps_the_output_open_does_not_hold_the_answer_for_ever() -> None:
    code = (
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\nprint('{}')\n"
    )
    with pytest.raises(BadDraft, match="did not answer"):
        _program(code, timeout_s=2.0).draft(REQUEST)


def _runs(process: int) -> bool:
    """Tell whether a process lives; one that only waits to be collected does not."""
    stat = Path(f"/proc/{process}/stat")
    try:
        if Path("/proc/self/stat").exists():
            return stat.read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
        os.kill(process, 0)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return True
