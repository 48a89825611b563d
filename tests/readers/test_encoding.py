"""Encodings are found by content, and UTF-8 needs no view."""

import pytest

from xysq.readers.encoding import incomplete_end, needs_view, sniff

GERMAN = "Die Grüße aus Köln kamen spät, über Umwege, für mich. "
JAPANESE = "これはとても短いテキストですが、仮名がたくさんあります。"
CHINESE = "我们把账单数据存放在数据库里，每天晚上备份一次，明天搬到新的机房。"
TAIWAN = "我們把帳單資料存放在資料庫裡，每天晚上備份一次，明天搬到新的機房。"
KOREAN = "우리는 청구 데이터를 데이터베이스에 저장하고 매일 밤 백업합니다."
RUSSIAN = "Мы храним данные о счетах в базе и каждую ночь делаем резервную копию. Я живу в Москве."
GREEK = "Αποθηκεύουμε τα δεδομένα των λογαριασμών στη βάση και κάθε νύχτα κάνουμε αντίγραφα."
HEBREW = "אנחנו שומרים את נתוני החשבונות במסד הנתונים ומגבים אותם בכל לילה, תמיד."


@pytest.mark.parametrize(
    ("words", "encoding", "found"),
    [
        (GERMAN, "cp1252", "cp1252"),
        ("“Smart” quotes – and a dash…", "cp1252", "cp1252"),
        (JAPANESE, "shift_jis", "cp932"),
        (CHINESE, "gb18030", "gb18030"),
        (TAIWAN, "big5", "big5"),
        (KOREAN, "euc_kr", "cp949"),
        (RUSSIAN, "cp1251", "cp1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (GREEK, "cp1253", "cp1253"),
        (HEBREW, "cp1255", "cp1255"),
        (GERMAN, "utf-16", "utf-16-le"),
        (GERMAN, "utf-16-le", "utf-16-le"),
        (GERMAN, "utf-16-be", "utf-16-be"),
        (GERMAN, "utf-32", "utf-32-le"),
        (GERMAN, "utf-32-be", "utf-32-be"),
    ],
)
def test_each_encoding_is_told_by_its_bytes(words: str, encoding: str, found: str) -> None:
    data = words.encode(encoding)
    assert sniff(data) == found
    assert needs_view(data)


@pytest.mark.parametrize("words", ["", "plain", GERMAN, JAPANESE, KOREAN, RUSSIAN, "\ufeffwith a mark", "a\x00b"])
def test_utf8_needs_no_view(words: str) -> None:
    assert not needs_view(words.encode("utf-8"))


def test_a_few_bad_bytes_leave_it_utf8() -> None:
    data = (GERMAN * 3).encode("utf-8") + b"\xff\n"
    assert sniff(data) == "utf-8"
    assert needs_view(data)


def test_records_on_lines_are_read_around_bad_bytes_but_not_in_utf16() -> None:
    assert not needs_view(b'{"type":"user"}\n\xff\n', line_records=True)
    assert needs_view('{"type":"user"}\n'.encode("utf-16"), line_records=True)


@pytest.mark.parametrize("cut", range(1, 4))
def test_a_character_cut_in_two_by_an_append_is_no_bad_byte(cut: int) -> None:
    data = "night 🌃".encode()
    head, tail = data[: len(data) - cut], data[len(data) - cut :]
    assert incomplete_end(head) == "🌃".encode()[: 4 - cut]
    assert not needs_view(head)
    assert not needs_view(tail, continues=True)
    assert needs_view(tail)


def test_a_whole_character_at_the_end_is_not_incomplete() -> None:
    assert incomplete_end("é".encode()) == b""
    assert incomplete_end(b"\x80\x80\x80\x80") == b""
    assert incomplete_end(b"") == b""
