"""The only room that knows xlsx: reads a benchmark workbook, writes results into it in place, adopts them."""

from service.workbook._shapes import Adoption, CellValue, Finding, Reading, Result, Review, Row, Section

__all__ = ["Adoption", "CellValue", "Finding", "Reading", "Result", "Review", "Row", "Section"]
