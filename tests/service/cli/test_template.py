"""`flagbook template`."""

from service.workbook import template


def test_the_template_is_written(desk, tmp_path):
    """The very bytes of the template, and what to do next."""
    out = tmp_path / "Mine.xlsx"
    result = desk.type("template", out)
    assert (result.exit_code, out.read_bytes()) == (0, template())
    assert f"flagbook run {out} -o " in result.stdout


def test_a_file_that_is_there_is_never_overwritten(desk, tmp_path):
    """It may hold somebody's questions."""
    out = tmp_path / "Mine.xlsx"
    out.write_bytes(b"questions")
    result = desk.type("template", out)
    assert (result.exit_code, out.read_bytes()) == (2, b"questions")
    assert "output_refused" in result.stderr
