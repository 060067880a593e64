"""A trial at the end of reading: what cannot be written back is refused before anything is asked."""

from service.workbook import _adopt, _write
from service.workbook._book import naming
from service.workbook._in_place import InPlace, Site
from service.workbook._plan import new_head
from service.workbook._records import AddedSheet
from service.workbook._table import NIAH
from service.workbook._xml import check_form
from service.workbook.niah_columns import ADDED

_ADDED = tuple(AddedSheet(name, ()) for name in ADDED)


def try_writing(site: Site) -> None:
    """Edit everything around the rows as a run and an adoption will (of questions), look at it, and throw it away.

    Rows need no trial: what reading has taken, the splicer edits. Raises a `WorkbookRefused` that names the part.
    """
    writing = InPlace(site, site.table.written, used=())
    is_experiment = site.table is NIAH
    _write.prepare(writing, flagged=True, sheets=_ADDED if is_experiment else ())
    _check(writing)
    if is_experiment:
        return
    adopting = InPlace(site, _adopt.NEEDED, used=())
    _adopt.prepare(adopting, {"run": ""})
    _check(adopting)


def _check(changed: InPlace) -> None:
    changed.finish()
    data = f"{changed.frame.prefix}sheetData".encode()
    rows = b"<" + data + b"></" + data + b">"
    with naming(changed.place.sheet.part):
        check_form([new_head(changed.frame, changed.plan), rows, changed.tail((), ())])
    for name, content in (changed.changes.replaced | changed.changes.added).items():
        with naming(name):
            check_form([content])
