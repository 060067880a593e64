"""The routes as they stand in the documentation."""

from service.api._reference import reference


def test_the_documentation_lists_every_route_and_field():
    """Requests with what they do, forms and parameters with their meaning."""
    said = reference()
    assert "| `POST /api/v1/runs` | Check a workbook, store it as a run and start it;" in said
    assert "| `POST /api/v1/runs/{run_id}/adopt` |" in said
    assert "Fields of `GET /api/v1/runs/{run_id}/workbook`:\n\n| field | meaning |\n|---|---|\n| `filter` |" in said
    assert "| `judge_only` | Ask nothing;" in said
