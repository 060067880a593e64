"""Files as responses."""

import unicodedata
from urllib.parse import quote

from fastapi.responses import Response

from service.runs import XLSX_TYPE, NamedFile


def attachment(file: NamedFile) -> Response:
    """Return a download whose name survives in every browser (RFC 6266, RFC 8187)."""
    plain = unicodedata.normalize("NFKD", file.name).encode("ascii", "ignore").decode()
    plain = "".join(char for char in plain if char.isprintable() and char not in '"\\') or "workbook.xlsx"
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file.name, safe='')}"
    return Response(file.content, media_type=file.media_type, headers={"content-disposition": disposition})


def template_file() -> NamedFile:
    """Return the empty workbook people start from."""
    from service.workbook import template

    return NamedFile(name="Benchmark_Input_template.xlsx", content=template(), media_type=XLSX_TYPE)
