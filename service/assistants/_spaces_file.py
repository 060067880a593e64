"""spaces.yaml: the file that declares the spaces, read with errors that name file, line and field."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from flags import FlagsMisconfigured, discover
from service.assistants._discover import backend_named, backends
from service.assistants._space import Space
from service.assistants._trouble import Place, Trouble, nearest, troubles
from service.errors import SpacesFileBroken

_OWN = tuple(name for name in Space.model_fields if name != "settings")
_SHOWN = 12


class _Wrong(Exception):
    """Something in the file is wrong; `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")


def load_spaces(path: Path) -> tuple[Space, ...]:
    """Return the spaces a file declares, in its order, with paths made absolute.

    Raise `SpacesFileBroken` that names every problem found with its line: unknown or missing settings (with the
    nearest right one), unknown backends, missing folders, names used twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SpacesFileBroken(path=path, problem=f"{error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise SpacesFileBroken(path=path, problem="it is not text in UTF-8.") from None
    found: list[Space] = []
    wrong: list[str] = []
    try:
        for entry in _entries(text):
            _take(entry, path.absolute().parent, found, wrong)
    except _Wrong as error:
        wrong.append(str(error))
    if wrong:
        more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        problem = "; ".join(wrong[:_SHOWN]) + more
        raise SpacesFileBroken(path=path, problem=problem if problem.endswith("?") else f"{problem}.")
    return tuple(found)


def _entries(text: str) -> Iterator[yaml.MappingNode]:
    """Yield the mapping of each space, once the whole file is known to be well formed."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise _Wrong(line, f"this is not YAML ({error.problem})") from None
    except yaml.YAMLError as error:
        raise _Wrong(1, f"this is not YAML ({' '.join(str(error).split())})") from None
    for entry in _list_of_spaces(root):
        if not isinstance(entry, yaml.MappingNode):
            raise _Wrong(_line(entry), "a space is written as “- name: …” with its settings below")
        yield entry


def _list_of_spaces(root: yaml.Node | None) -> list[yaml.Node]:
    """Return the entries under `spaces:`, the only key of the file."""
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    if root is None or [key.value for key, _ in pairs] != ["spaces"] or not isinstance(pairs[0][1], yaml.SequenceNode):
        raise _Wrong(1, "the file must hold one list named “spaces:”")
    _refuse_twice(root)
    return list(pairs[0][1].value)


def _take(entry: yaml.MappingNode, folder: Path, found: list[Space], wrong: list[str]) -> None:
    """Add the space of an entry to those found, or what is wrong with it to the list."""
    values = _values(entry)
    name = str(values.get("name", "")).strip()
    said = f"space “{name}”, " if name else ""
    space, problems = _space(values, folder)
    if any(name.casefold() == other.name.casefold() for other in found):
        problems.append(Trouble(("name",), "this name is used twice"))
    wrong.extend(f"line {_line_of(entry, trouble.place)}: {said}{trouble}" for trouble in problems)
    if space and not problems:
        found.append(space)


def _space(values: dict[str, Any], folder: Path) -> tuple[Space | None, list[Trouble]]:
    own = {key: value for key, value in values.items() if key in _OWN}
    settings = {key: value for key, value in values.items() if key not in _OWN}
    try:
        space = Space.model_validate(own)
    except ValidationError as error:
        return None, list(troubles(error, Space))
    kind = backend_named(space.backend)
    if kind is None:
        return None, [
            Trouble(("backend",), f"there is no backend “{space.backend}”{nearest(space.backend, backends())}")
        ]
    try:
        backend = kind.model_validate(settings, context={"folder": folder})
    except ValidationError as error:
        return None, list(troubles(error, kind, also=_OWN))
    problems = [_placed(problem, kind) for problem in backend.problems()]
    try:
        discover(space.flags)
    except FlagsMisconfigured as error:
        problems.append(Trouble(("flags",), str(error).rstrip(".")))
    snapshot = backend.model_dump(mode="json", exclude_unset=True)
    return space.model_copy(update={"settings": snapshot}), problems


def _placed(problem: str, kind: type[BaseModel]) -> Trouble:
    """Return a backend's own problem at the field its first word names."""
    field, _, what = problem.partition(" ")
    return Trouble((field,), what) if field in kind.model_fields else Trouble((), problem)


def _values(entry: yaml.MappingNode) -> dict[str, Any]:
    loader = yaml.SafeLoader("")
    try:
        values = loader.construct_mapping(entry, deep=True)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else _line(entry)
        raise _Wrong(line, f"this cannot be read ({error.problem})") from None
    finally:
        loader.dispose()
    return {str(key): value for key, value in values.items()}


def _refuse_twice(root: yaml.Node) -> None:
    """Refuse a key that stands twice in one mapping: YAML would silently take the last one."""
    seen: set[int] = set()  # an alias leads to a node a second time, or even back into itself
    pending = [root]
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            _refuse_twice_here(node)
            pending.extend(value for _, value in node.value)
        elif isinstance(node, yaml.SequenceNode):
            pending.extend(node.value)


def _refuse_twice_here(node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if str(key.value) in seen:
            raise _Wrong(_line(key), f"“{key.value}” stands twice")
        seen.add(str(key.value))


def _line_of(node: yaml.Node, place: Place) -> int:
    """Return the line of the deepest part of a place that stands in the file."""
    line = _line(node)
    for part in place:
        if isinstance(node, yaml.MappingNode):
            pair = next((pair for pair in node.value if pair[0].value == part), None)
            if pair is None:
                return line
            line, node = _line(pair[0]), pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = _line(node)
    return line


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
