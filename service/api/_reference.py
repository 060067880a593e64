"""The routes described in Markdown, for docs/http.md; made from the OpenAPI description itself."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from service.api._app import new_app
from service.settings import Settings


def reference() -> str:
    """Return a table of routes, then the fields of each form and the query parameters."""
    description = new_app(Settings(), _nothing).openapi()
    return "\n".join([*_table(description), "", *_fields(description)])


@asynccontextmanager
async def _nothing(app: FastAPI) -> AsyncIterator[None]:
    yield


def _operations(description: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            yield f"{method.upper()} {path}", operation


def _table(description: dict[str, Any]) -> Iterator[str]:
    yield "| request | what it does | replies |\n|---|---|---|"
    for request, operation in _operations(description):
        about = " ".join(operation["description"].split("\n\n")[0].split())
        yield f"| `{request}` | {about} | {', '.join(sorted(operation['responses']))} |"


def _fields(description: dict[str, Any]) -> Iterator[str]:
    for request, operation in _operations(description):
        parameters = [(each["name"], each) for each in operation.get("parameters", []) if each["in"] == "query"]
        fields = [*parameters, *_form(description, operation)]
        if fields:
            yield f"Fields of `{request}`:\n\n| field | meaning |\n|---|---|"
            for name, field in fields:
                yield f"| `{name}` | {field.get('description', '')} |"
            yield ""


def _form(description: dict[str, Any], operation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    content = operation.get("requestBody", {}).get("content", {})
    if "multipart/form-data" not in content:
        return []
    schema = content["multipart/form-data"]["schema"]
    name = schema.get("$ref", schema.get("anyOf", [{}])[0].get("$ref", "")).rsplit("/", 1)[-1]
    return list(description["components"]["schemas"][name]["properties"].items())
