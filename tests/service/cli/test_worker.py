"""`flagbook worker`: it needs others to work with."""


def test_a_worker_without_a_database_server_is_refused(desk, monkeypatch):
    """The person learns which variable names the database."""
    monkeypatch.delenv("FLAGBOOK_DATABASE_URL", raising=False)
    result = desk.type("worker")
    assert result.exit_code == 2
    assert "worker_alone" in result.stderr
    assert "FLAGBOOK_DATABASE_URL" in result.stderr
