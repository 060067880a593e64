"""Hanging the pages into an application."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from service.web import _approved, _compare, _rows
from service.web._errors import error_page
from service.web._routes import router

STATIC = Path(__file__).parent / "static"


def install_pages(app: FastAPI) -> None:
    """Give an application made by `service.api.new_app` its pages, their files, and errors drawn as pages."""
    app.include_router(router)
    app.include_router(_compare.router)
    app.include_router(_rows.router)
    app.include_router(_approved.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.state.error_page = error_page
