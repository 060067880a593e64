"""All settings of a process, read once from `FLAGBOOK_…` variables and passed down."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

JudgeKind = Literal["auto", "local", "llm"]


class Settings(BaseSettings):
    """Settings of one flagbook process; each field `x` is read from the variable `FLAGBOOK_X`."""

    model_config = SettingsConfigDict(env_prefix="FLAGBOOK_", extra="ignore", frozen=True)

    home: Path = Field(Path.home() / ".flagbook", description="Folder of the database and the document indexes.")
    database_url: str = Field("", description="Database; empty: SQLite inside `home`.")
    spaces: Path = Field(Path("spaces.yaml"), description="File that declares the spaces.")

    host: str = Field("127.0.0.1", description="Address `serve` listens on; anything but loopback needs a token.")
    port: int = Field(8300, description="Port `serve` listens on.")
    token: SecretStr | None = Field(None, description="Token every request must carry; optional on loopback.")
    metrics_token: SecretStr | None = Field(None, description="Token that opens `/metrics` and nothing else.")
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Further names (comma-separated) under which the service may be addressed (Host header)."
    )
    max_upload_mb: int = Field(50, ge=1, description="Largest workbook accepted, in MB.")
    max_unpacked_mb: int = Field(500, ge=2, description="Largest workbook unpacked, in MB; one part of it may be half.")
    max_questions: int = Field(100_000, ge=1, description="Most questions in one workbook.")
    workbook_timeout_s: int = Field(120, ge=1, description="Time a workbook may take to be read, in seconds.")
    workbook_memory_mb: int = Field(450, ge=100, description="Memory a workbook may take while it is handled, in MB.")

    judge: JudgeKind = Field("auto", description="`llm`, `local`, or `auto`: llm when its key is set.")
    judge_model: str = Field("gpt-4.1", description="Model of the LLM judge.")
    judge_base_url: str | None = Field(None, description="OpenAI-compatible endpoint of the judge.")
    judge_api_key_env: str = Field("OPENAI_API_KEY", description="Name of the variable that holds the judge's key.")
    judge_concurrency: int = Field(16, description="Calls to the judge at the same time.")
    judge_window_tokens: int = Field(
        100_000, description="Tokens the LLM judge is given at once; longer cases are judged in parts, nothing is cut."
    )
    judge_cache: bool = Field(
        True, description="Take the LLM judge's reply again where the same model was asked the same words before."
    )
    endpoint_concurrency: int = Field(
        0,
        ge=0,
        description="Calls to one address and key at the same time, questions and judgements together; judgements go "
        "first. 0: no limit but their own.",
    )
    judge_thorough: bool = Field(
        False,
        description="Ask the LLM judge in both orders whether answers differ; a verdict that depends on it is none.",
    )
    call_timeout_s: float = Field(120.0, description="Time one call to an endpoint may take, in seconds.")
    retry_budget_s: float = Field(
        300.0, description="Time a row may lose to calls that fail and are made again before it fails, in seconds."
    )
    prices: Path | None = Field(None, description="File with the prices of models; none: costs are unknown.")
    reply_tokens: int = Field(
        4096, ge=1, description="Tokens put aside for a model's reply while the cost of a run is limited."
    )

    embedder: str = Field(
        "packaged",
        description="`packaged` (all-MiniLM-L6-v2), a sentence-transformers name or path, or `openai:MODEL`.",
    )
    embedder_base_url: str | None = Field(None, description="OpenAI-compatible endpoint of an `openai:` embedder.")
    embedder_api_key_env: str = Field("OPENAI_API_KEY", description="Name of the variable with the embedder's key.")

    nli_model: str = Field(
        "", description="A sentence-transformers cross-encoder (name or path) that the local judge asks as well."
    )

    flags: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description='Settings of flags as JSON, e.g. `{"embedding": {"threshold": 0.9}}`; a space\'s own go first.',
    )
    approved: Literal["tell", "clear"] = Field(
        "tell",
        description="What becomes of a flagged answer that a person accepted before: `tell` says so and sorts it last, "
        "`clear` takes the final flag away as well.",
    )
    audit_percent: float = Field(
        5.0, ge=0, le=100, description="Of the rows that no flag found, so many are drawn for a look (audit sample), %."
    )
    audit_least: int = Field(5, ge=0, description="Rows in the audit sample at least, where there are so many.")
    audit_most: int = Field(30, ge=0, description="Rows in the audit sample at most; 0: none is drawn.")
    wikipedia_url: str = Field(
        "https://{language}.wikipedia.org/w/api.php", description="API that articles are fetched from as a haystack."
    )
    arxiv_url: str = Field(
        "https://export.arxiv.org/api/query", description="API that abstracts are fetched from as a haystack."
    )
    shard_rows: int = Field(50, description="Rows of one space handed out together.")
    rows_at_once: int = Field(
        32,
        description="Rows of a process that are open at the same time: twice the calls allowed lets none of them wait.",
    )

    @property
    def shared(self) -> bool:
        """Return whether other processes may work on the same runs: only a database server allows it."""
        return not self.store_url.startswith("sqlite")

    @property
    def store_url(self) -> str:
        """Return the URL of the database that holds runs, rows and verdicts."""
        return self.database_url or f"sqlite:///{self.home / 'flagbook.sqlite'}"

    @property
    def engine_url(self) -> str:
        """Return the URL of the engine's own tables (beside ours; a second file with SQLite)."""
        return self.database_url or f"sqlite:///{self.home / 'engine.sqlite'}"
