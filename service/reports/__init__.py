"""Reports of needle-in-a-haystack experiments, made from their workbooks."""

from service.reports._checklist import Item, checklist
from service.reports._study import Study
from service.reports._write import write_report

__all__ = ["Item", "Study", "checklist", "write_report"]
