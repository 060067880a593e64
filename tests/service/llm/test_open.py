"""Which judge and embedder the settings mean."""

import pytest

from flags import LocalJudge
from flags._fakes import WordEmbedder
from service.errors import EmbedderMissing, KeyMissing
from service.llm import EndpointEmbedder, Endpoints, LlmJudge, LocalEmbedder, open_embedder, open_endpoints, open_judge
from service.settings import JudgeKind, Settings

KEY = "FLAGBOOK_TEST_KEY"


@pytest.mark.parametrize(
    ("kind", "key", "judge"),
    [
        ("auto", "a-key", LlmJudge),
        ("auto", "", LocalJudge),
        ("auto", "  ", LocalJudge),
        ("local", "a-key", LocalJudge),
        ("llm", "a-key", LlmJudge),
    ],
)
def test_auto_takes_the_llm_when_its_key_is_set(
    kind: JudgeKind, key: str, judge: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run may choose another kind than the settings."""
    monkeypatch.setenv(KEY, key)
    settings = Settings(judge=kind, judge_api_key_env=KEY)
    assert isinstance(open_judge(settings, WordEmbedder(), open_endpoints(settings)), judge)
    other = Settings(judge="local", judge_api_key_env=KEY)
    assert isinstance(open_judge(other, WordEmbedder(), Endpoints(), kind), judge)


def test_an_llm_judge_without_key_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run does not start instead of failing every row."""
    monkeypatch.delenv(KEY)
    with pytest.raises(KeyMissing, match=KEY):
        open_judge(Settings(judge="llm", judge_api_key_env=KEY), WordEmbedder(), Endpoints())


def test_a_judge_without_keys_must_be_asked_for_by_name() -> None:
    """A local server needs no key; auto cannot know of it."""
    settings = Settings(judge="llm", judge_api_key_env="", judge_base_url="http://127.0.0.1:9/v1", judge_model="m")
    assert open_judge(settings, WordEmbedder(), Endpoints()).name == "llm m"
    assert isinstance(open_judge(settings, WordEmbedder(), Endpoints(), "auto"), LocalJudge)


@pytest.mark.parametrize(
    ("name", "kind", "recorded"),
    [
        ("packaged", LocalEmbedder, "all-MiniLM-L6-v2"),
        ("./models/mine", LocalEmbedder, "./models/mine"),
        ("openai:embed-3", EndpointEmbedder, "openai:embed-3"),
    ],
)
def test_an_embedder_is_opened_by_name_without_loading_anything(name: str, kind: type, recorded: str) -> None:
    """The run records the model's own name: a threshold belongs to it, whatever the setting calls it."""
    embedder = open_embedder(Settings(embedder=name, embedder_api_key_env=KEY), Endpoints())
    assert isinstance(embedder, kind)
    assert embedder.name == recorded


@pytest.mark.parametrize("name", ["", " ", "openai:"])
def test_an_embedder_without_a_name_is_refused(name: str) -> None:
    """Before a run starts."""
    with pytest.raises(EmbedderMissing, match="no model is named"):
        open_embedder(Settings(embedder=name), Endpoints())
