"""Which judge and which embedder the settings mean."""

import os

from flags import Embedder, Entailment, Judge
from service.errors import EmbedderMissing
from service.llm._endpoint import Meter
from service.llm._endpoint_embedder import EndpointEmbedder
from service.llm._endpoints import Endpoints
from service.llm._entailment import LocalEntailment, load_entailment
from service.llm._judge import LlmJudge
from service.llm._local_embedder import LocalEmbedder
from service.llm._sentence_model import PACKAGED, PACKAGED_MODEL, load_sentence_model
from service.settings import JudgeKind, Settings

BY_ENDPOINT = "openai:"
"""Begins the name of an embedder that is reached over the net."""


def open_endpoints(settings: Settings, meter: Meter | None = None) -> Endpoints:
    """Return the endpoints of a process, with the time-outs of the settings; `meter` hears of their calls."""
    return Endpoints(
        timeout_s=settings.call_timeout_s,
        retry_budget_s=settings.retry_budget_s,
        reply_tokens=settings.reply_tokens,
        meter=meter,
        together=settings.endpoint_concurrency,
    )


def open_judge(
    settings: Settings,
    embedder: Embedder,
    endpoints: Endpoints,
    kind: JudgeKind | None = None,
    entailment: Entailment | None = None,
) -> Judge:
    """Return the judge of the settings, or of the kind a run chose; `auto` is `llm` where its key is set.

    The local judge asks `entailment` as well, where there is one.
    Raise `KeyMissing` when the LLM judge is wanted and the variable of its key is not set.
    """
    kind = kind or settings.judge
    variable = settings.judge_api_key_env
    if kind == "auto":
        kind = "llm" if variable and os.environ.get(variable, "").strip() else "local"
    if kind == "local":
        from flags import LocalJudge

        return LocalJudge(embedder, entailment=entailment)
    endpoint = endpoints.open(settings.judge_base_url, variable, caller="judge", concurrency=settings.judge_concurrency)
    return LlmJudge(endpoint, settings.judge_model)


def open_entailment(name: str) -> LocalEntailment | None:
    """Return the model of inference of a name or path, loaded with the first pair; None where none is named."""
    return LocalEntailment(name, lambda: load_entailment(name)) if name.strip() else None


def open_embedder(settings: Settings, endpoints: Endpoints) -> LocalEmbedder | EndpointEmbedder:
    """Return the embedder of the settings; a local model is loaded with its first text.

    Raise `EmbedderMissing` for a name that can be none, `KeyMissing` when an endpoint's key is not set.
    """
    name = settings.embedder.strip()
    if not name or name == BY_ENDPOINT:
        raise EmbedderMissing(embedder=name, problem="no model is named.")
    if not name.startswith(BY_ENDPOINT):
        return LocalEmbedder(PACKAGED_MODEL if name == PACKAGED else name, lambda: load_sentence_model(name))
    endpoint = endpoints.open(settings.embedder_base_url, settings.embedder_api_key_env, caller="embedder")
    return EndpointEmbedder(endpoint, name.removeprefix(BY_ENDPOINT))
