"""The settings of spaces and backends as tables; docs/spaces.md is made from them."""

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from service.assistants._trouble import inner_model

_HIDDEN = ("settings",)


def table(model: type[BaseModel]) -> str:
    """Return a Markdown table of a model's settings, followed by one for each model inside it."""
    fields = {name: field for name, field in model.model_fields.items() if name not in _HIDDEN}
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    lines += [f"| `{name}` | {_default(field)} | {field.description} |" for name, field in fields.items()]
    parts = ["\n".join(lines)]
    for name, field in fields.items():
        if inside := inner_model(field.annotation):
            parts.append(f"Each entry of `{name}`:\n\n{table(inside)}")
    return "\n\n".join(parts)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "must be given"
    value = field.get_default(call_default_factory=True)
    return f"`{value}`" if value not in (None, "", (), {}) else "–"
