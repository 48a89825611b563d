"""Slugs are file names that no file system mistakes for one another."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xysq.pages.slug import MAX_SLUG_BYTES, free_slug, is_slug, slugify


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Billing service", "billing-service"),
        ("  C++ / C#  ", "c-c"),
        ("Straße", "strasse"),
        ("Cafe\u0301", "café"),
        ("東京タワー", "東京タワー"),
        ("हिन्दी", "हिन्दी"),
        ("../../etc/passwd", "etc-passwd"),
        ("---", "page"),
        ("", "page"),
        ("CON", "con-page"),
        ("lpt1", "lpt1-page"),
        ("console", "console"),
        ("a\u200bb\u3164", "a-b"),
        ("\u0301abc", "abc"),
        ("snake_case.py", "snake-case-py"),
        ("🎉", "page"),
    ],
)
def test_a_title_becomes_its_slug(title: str, slug: str) -> None:
    assert slugify(title) == slug
    assert is_slug(slug)


@given(title=st.text(max_size=200))
def test_every_title_has_a_legal_slug(title: str) -> None:
    slug = slugify(title)
    assert is_slug(slug)
    assert 0 < len(slug.encode()) <= MAX_SLUG_BYTES
    assert slug == unicodedata.normalize("NFC", slug)
    assert slugify(slug.upper()) == slugify(slugify(slug.upper()))
    assert not set(slug) & set('/\\.:*?"<>| \n\0')


@pytest.mark.parametrize("text", ["", "A", "a b", "-a", "a-", "a--b", "con", "a/b", ".", "e\u0301", "a_b", "a" * 81])
def test_what_is_no_slug_is_told(text: str) -> None:
    assert not is_slug(text)


def test_a_taken_slug_takes_the_next_number() -> None:
    taken = {"alice", "alice-2"}
    assert free_slug("Alice", taken.__contains__) == "alice-3"
    assert free_slug("Bob", taken.__contains__) == "bob"


def test_a_numbered_slug_still_fits() -> None:
    long = slugify("é" * 100)
    assert len(long.encode()) == MAX_SLUG_BYTES
    numbered = free_slug("é" * 100, {long}.__contains__)
    assert numbered.endswith("-2")
    assert is_slug(numbered)
