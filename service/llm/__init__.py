"""The real Judge and Embedder, and the endpoints they (and assistants, through their kit) call."""

from service.llm._completion import Completion
from service.llm._consent import with_consent
from service.llm._endpoint import Endpoint, Meter, Patience
from service.llm._endpoint_embedder import EndpointEmbedder
from service.llm._endpoints import Endpoints, Lane
from service.llm._errand import Charge, Errand, on_errand, this_errand
from service.llm._judge import LlmJudge
from service.llm._limiter import Limiter
from service.llm._local_embedder import LocalEmbedder, embed_ahead
from service.llm._open import BY_ENDPOINT, open_embedder, open_endpoints, open_entailment, open_judge
from service.llm._reply import schema_of
from service.llm._tokenizer import Cl100k, open_tokenizer

__all__ = [
    "BY_ENDPOINT",
    "Charge",
    "Cl100k",
    "Completion",
    "Endpoint",
    "EndpointEmbedder",
    "Endpoints",
    "Errand",
    "Lane",
    "Limiter",
    "LlmJudge",
    "LocalEmbedder",
    "Meter",
    "Patience",
    "embed_ahead",
    "on_errand",
    "open_embedder",
    "open_endpoints",
    "open_entailment",
    "open_judge",
    "open_tokenizer",
    "schema_of",
    "this_errand",
    "with_consent",
]
