"""The part of a response that is its answer, without the marks it is written in."""

import re
from collections.abc import Iterable, Iterator

from flags.niah._numbers import numbers

_THINKING, _THOUGHT = re.compile(r"<think(?:ing)?>", re.IGNORECASE), re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_MARKER = re.compile(
    r"(?:^|(?<=[\s*_>#(\"“]))(?:(?:final|final\s+the)\s+)?(?:answer|antwort|réponse|risposta)[*_\"”]*\s*[:：][*_]*",
    re.IGNORECASE | re.MULTILINE,
)
_MARKS = (
    (re.compile(r"```\w*\n?|`"), ""),
    (re.compile(r"\\(?:text|mathrm|mathbf|mathit)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\[()\[\]]|\\,|\$(?=\S)|(?<=\S)\$"), ""),
    (re.compile(r"!?\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)"), r"\1"),
    (re.compile(r"</?(?:b|i|em|strong|code|p|br|span|u|mark)\s*/?>", re.IGNORECASE), " "),
    (re.compile(r"\*\*+|__+(?!\w)|(?<!\w)__+|~~"), ""),
    (re.compile(r"(?<!\w)\*(?=\S)([^*\n]*?\S)\*(?!\w)"), r"\1"),
    (re.compile(r"(?<!\w)_(?=\S)([^_\n]*?\S)_(?!\w)"), r"\1"),
    (re.compile(r"^[ \t]*(?:#{1,6}\s+|>+\s?)", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*\|(.*)\|[ \t]*$", re.MULTILINE), r"\1"),
)
_BULLET = re.compile(r"^[ \t]*(?:[-–—•*+‣▪◦]\s+|[a-hA-H]\)\s+)(?=\S)", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*\(?(?P<number>\d{1,3})[.)]\s+(?P<rest>\S.*)")
_KEY = re.compile(r"^[ \t]*[^:：\n]{1,60}[:：][ \t]+(?=\S)", re.MULTILINE)
_EDGES = " \t\r\n\"'“”„«»‘’`.,;:!*_()[]"


def tidy(text: str) -> str:
    """Return a text without thinking, markdown, LaTeX and list markers; its lines stay lines."""
    text = _spoken(text)
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    return "\n".join(_unnumbered(_BULLET.sub("", text).splitlines())).strip()


def _unnumbered(lines: Iterable[str]) -> Iterator[str]:
    following = 1
    for line in lines:
        item = _ITEM.fullmatch(line)
        # `412. Nothing else is said.` is an answer and a sentence, `2. 412` an item of a list
        is_marker = item and (int(item["number"]) == following or " " not in item["rest"].strip())
        following += bool(is_marker)
        yield item["rest"] if item and is_marker else line


def _spoken(text: str) -> str:
    # from the first opening to the last closing, in one look each: a response may be made to cost time
    start = _THINKING.search(text)
    ends = [found.end() for found in _THOUGHT.finditer(text)]
    return text[: start.start()] + text[ends[-1] :] if start and ends and start.start() < ends[-1] else text


def region(response: str, *, lines: bool = False) -> str:
    """Return what follows the last `Answer:`, what stands in the last box, or all of the response, tidied.

    After a marker only the first line counts, unless several `lines` are expected.
    """
    text = _spoken(response)
    boxed = _BOXED.findall(text)
    if boxed:
        return tidy(boxed[-1])
    markers = list(_MARKER.finditer(text))
    after = text[markers[-1].end() :].strip() if markers else ""
    if after:
        return tidy(after if lines else after.splitlines()[0])
    return tidy(text)


def unkeyed(text: str) -> str:
    """Return the text without a leading `key:` on each line; what states a number is no key."""
    return _KEY.sub(lambda found: found.group() if numbers(found.group()) else "", text)


def bare(text: str) -> str:
    """Return a text in small letters, single spaces, without quotes and punctuation around it."""
    return re.sub(r"\s+", " ", text).strip(_EDGES).casefold()
