"""Faults of our own: told whole to the log, in one sentence to the person."""

import traceback

import structlog

from service.errors import EmbedderMissing, EndpointClosed, EntailmentMissing, RowBroken, RunBroken, ServiceError

ENDS_RUN = (EndpointClosed, EmbedderMissing, EntailmentMissing)
"""What would meet every further row as well; it ends the run."""


def log_fault(event: str, error: BaseException, **where: object) -> None:
    """Log the trace as text: a renderer that draws local variables would write answers and workbooks into the log.

    What was made for people needs no trace.
    """
    if isinstance(error, ServiceError):
        structlog.get_logger(__name__).warning(event, **where, code=error.code)
        return
    trace = "".join(traceback.format_exception(error))
    structlog.get_logger(__name__).error(event, **where, error=type(error).__name__, trace=trace)


def row_fault(error: Exception, **where: object) -> RowBroken:
    """Log what kept a row from being answered or judged and return the error the row carries."""
    log_fault("row_failed", error, **where)
    return RowBroken(problem=type(error).__name__)


def run_fault(error: Exception) -> ServiceError:
    """Return what is stored of the error that ended a run; of a group, its first."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error if isinstance(error, ServiceError) else RunBroken(problem=type(error).__name__)
