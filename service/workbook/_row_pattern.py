"""One pattern for all rows of a sheet, learnt from the sheet itself.

The rows of a sheet are nearly all built alike: the same columns with the same formats and kinds. A pattern that says
so takes a whole row in one step, and only the texts of the columns somebody looks at leave it.
"""

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from service.workbook._cell import Cell

FORMULA: Final = r'<f(?: [\w:]+="[^"<>&]*+")*+(?:/>|>[^<]*+</f>)'
INLINE: Final = r'<is><t(?: xml:space="preserve")?+>'
_MOST: Final = 24
"""So many rows teach the pattern something new; a sheet with more sorts of rows is taken cell by cell."""

_LARGEST: Final = 1_000
"""So many forms of cells make up a pattern; a larger one would take longer to make than it saves."""

Form: TypeAlias = tuple[str, str, bool, str]
"""How a cell is written: the number of its format, its type, whether with a formula, and what tag holds its content."""


class RowPattern:
    """Knows the rows it has learnt; it says nothing about others."""

    def __init__(self, wanted: frozenset[int]) -> None:
        self._wanted = wanted
        self._forms: dict[int, tuple[str, dict[Form, None]]] = {}
        self._meanings: list[tuple[int, str, bool, str]] = []
        self._row: re.Pattern[str] | None = None
        self._learnt = 0

    def cells(self, text: str) -> dict[int, Cell] | None:
        """Return the wanted cells that hold something, None when the row is of another sort."""
        row = self._row.fullmatch(text) if self._row is not None else None
        if row is None:
            return None
        return {
            column: (kind, value, formula, style)
            for (column, kind, formula, style), value in zip(self._meanings, row.groups(), strict=True)
            if value
        }

    def learn(self, cells: Iterable[tuple[int, str, Form]]) -> None:
        """Learn a row: column, its letters and the form of each of its cells, by ascending columns."""
        if self._learnt == _MOST:
            return
        self._learnt += 1
        for column, letters, form in cells:
            self._forms.setdefault(column, (letters, {}))[1].setdefault(form)
        self._meanings.clear()
        if sum(len(forms) for _, forms in self._forms.values()) > _LARGEST:
            self._learnt, self._row = _MOST, None
            self._forms.clear()
            return
        self._row = re.compile("".join(self._cell(*item) for item in sorted(self._forms.items())))

    def _cell(self, column: int, item: tuple[str, dict[Form, None]]) -> str:
        letters, forms = item
        alternatives = "|".join(self._form(column, form) for form in forms)
        return rf'(?:<c r="{letters}\d{{1,7}}+"(?:{alternatives}))?+'

    def _form(self, column: int, form: Form) -> str:
        style, kind, formula, holder = form
        start = (f' s="{style}"' if style else "") + (f' t="{kind}"' if kind else "")
        if not holder:
            return f"{start}(?:/>|></c>)"
        content = "[^<]*+"
        if column in self._wanted:
            content = f"({content})"
            self._meanings.append((column, kind or "n", formula, style))
        if holder == "t":
            return f"{start}>{INLINE}{content}</t></is></c>"
        return f"{start}>{FORMULA if formula else ''}<v>{content}</v></c>"
