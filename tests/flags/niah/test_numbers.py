"""Reading numbers as people write them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flags.niah._numbers import numbers, plain_number

WHOLES = st.integers(0, 10**12)
CENTS = st.integers(0, 10**9)


def grouped(value: int, mark: str) -> str:
    """Return a whole number with a mark between groups of three digits."""
    return f"{value:,}".replace(",", mark)


@given(WHOLES, st.sampled_from(["", ",", "'", "’", "\u00a0", "\u202f", "\u2009"]), st.sampled_from(["", "-", "−", "+"]))
def test_whole_numbers_are_read_in_every_grouping(value: int, mark: str, sign: str) -> None:
    """A whole number has one meaning, however its groups are divided and its sign is written."""
    (found,) = numbers(f"It is {sign}{grouped(value, mark) if mark else value} units")
    assert found.readings == ((-value if sign in ("-", "−") else value),)


@given(CENTS, st.sampled_from([(",", "."), ("'", "."), ("’", ","), ("", "."), ("", ","), ("\u202f", ","), (".", ",")]))
def test_decimals_are_read_with_point_and_comma(cents: int, marks: tuple[str, str]) -> None:
    """Two decimals are decimals behind a point or a comma, with and without groups before them."""
    group, point = marks
    whole = grouped(cents // 100, group) if group else str(cents // 100)
    (found,) = numbers(f"{whole}{point}{cents % 100:02d}")
    assert math.isclose(found.value, cents / 100)


@given(
    st.integers(1, 999), st.integers(-30, 30), st.sampled_from(["{m}e{p}", "{m}E{p}", "{m} × 10^{p}", "{m}x10^{{{p}}}"])
)
def test_powers_of_ten_are_read(mantissa: int, power: int, form: str) -> None:
    """A power of ten may be written with e, × 10^ or in braces."""
    (found,) = numbers(form.format(m=mantissa, p=power))
    assert math.isclose(found.value, mantissa * 10.0**power, rel_tol=1e-9)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """No text makes the reader fail, and every number it finds stands in the text."""
    for number in numbers(text):
        assert number.written
        assert number.readings
        assert not math.isnan(number.value)


@given(st.lists(st.integers(0, 999), min_size=1, max_size=30), st.sampled_from([", ", " ", "\n", "; ", " and ", "/"]))
def test_all_of_a_list_are_candidates(values: list[int], mark: str) -> None:
    """A list of numbers is read as all of its numbers."""
    assert [number.value for number in numbers(mark.join(map(str, values)))] == values


@pytest.mark.parametrize(
    "text",
    ["QR-7749", "Zyranthex-7", "kv_7a3f2b", "7a3f2b", "v2", "cm3", "s^-1", "m^{2}", "1.2.3.4", "12:30", "2024-05-17",
     "5th", "in 2024", "out of 1000", "1000 tokens", "1000 Wörter", "page 3", "3e5m", "1_000"],
)  # fmt: skip
def test_digits_of_names_units_and_times_are_no_numbers(text: str) -> None:
    """Digits that belong to a name, a unit, a year, a date, a whole or a count are no candidates."""
    assert numbers(text) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [("10^5", 1e5), ("10⁻²", 0.01), ("3×10⁵", 3e5), ("50%", 0.5), ("1e999", math.inf), ("-1,000", -1000),
     ("0,234", 0.234),
     ("1,234", 1234), ("1,2345", 1.2345), ("1e16e", None), ("007", None), ("12:30", None), ("1.2.3", None), ("a", None),
     ("4 or 5", None), ("12345678901234567890e2", 1234567890123456789000.0)],
)  # fmt: skip
def test_a_text_that_is_only_a_number_has_its_value(text: str, value: float | None) -> None:
    """An expected answer is a number only when all of it is one."""
    assert plain_number(text) == (pytest.approx(value) if value is not None else None)


def test_a_group_may_be_decimals_where_commas_are_decimal() -> None:
    """In a German sentence 1.234 and 1,234 may each mean both; in English they mean one thing."""
    assert numbers("Der Wert ist 1.234 und die Zahl ist 1,234")[0].readings == (1234.0, 1.234)
    assert numbers("Der Wert ist hier nicht mehr als 1,234")[0].readings == (1234.0, 1.234)
    assert numbers("The value of the thing is 1.234")[0].readings == (1.234,)
