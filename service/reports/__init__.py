"""Reports of needle-in-a-haystack experiments, made from their workbooks."""

from service.reports._checklist import Item, checklist
from service.reports._from_workbook import study_of
from service.reports._study import Study
from service.reports._write import write_report

__all__ = ["Item", "Study", "checklist", "study_of", "write_report"]
