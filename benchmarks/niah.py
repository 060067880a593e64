"""How fast exact documents are built: `python -m benchmarks.niah` prints CPU seconds and peak memory, and the goals."""

import resource
import time
from collections.abc import Callable
from itertools import product

from flags.niah import Corpora, Needle, Spec, Trial, build, make
from flags.niah._filler import draw
from service.llm import open_tokenizer

_MB = 1024


def cpu(job: Callable[[], object], repeats: int = 3) -> float:
    """Return the least CPU seconds (of this process, all threads) of a few runs."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        job()
        taken.append(time.process_time() - start)
    return min(taken)


def peak() -> float:
    """Return the greatest memory this process had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MB


def say(what: str, figure: float, unit: str, goal: float | None) -> None:
    """Print one line of the table."""
    wanted = "" if goal is None else f"≤ {goal:g} {unit}"
    held = "" if goal is None else ("yes" if figure <= goal else "NO")
    print(f"| {what} | {figure:.3f} {unit} | {wanted} | {held} |")


def cell(length: int, depth: float = 0.5) -> Spec:
    """Return a cell of S-RT."""
    return Spec(task="s_rt", context_length=length, depth=depth)


def grid(corpora: Corpora, *, verify: bool) -> None:
    """Build 15 lengths × 15 depths, the lengths even up to 128k."""
    for length, depth in product((round(128_000 * (step + 1) / 15) for step in range(15)), range(15)):
        trial = make(cell(length, depth / 14), corpora)
        if verify:
            check(trial, corpora)


def check(trial: Trial, corpora: Corpora) -> None:
    """Count all of a document again."""
    found = corpora.tokenizer.count(trial.document)
    if found != trial.tokens:
        raise SystemExit(f"a document of {trial.tokens} tokens has {found}")


def measured(corpora: Corpora) -> None:
    """Print the figures of warm corpora."""
    for length, goal, again in ((128_000, 0.03, None), (1_000_000, None, 0.9)):
        trial = make(cell(length), corpora)
        say(f"{length:,} tokens, needle in the middle", cpu(lambda n=length: make(cell(n), corpora)), "s", goal)
        say(f"{length:,} tokens, needle last", cpu(lambda n=length: make(cell(n, 1.0), corpora)), "s", goal)
        counted = cpu(lambda n=length: check(make(cell(n), corpora), corpora))
        say(f"{length:,} tokens, all counted again", counted, "s", again)
        del trial
    say("15 × 15 grid to 128k", cpu(lambda: grid(corpora, verify=False), 1), "s", 8)
    say("15 × 15 grid to 128k, all counted again", cpu(lambda: grid(corpora, verify=True), 1), "s", None)


def unproven(corpora: Corpora) -> float:
    """Return the CPU seconds of a document in a script without spaces, where nothing is proven and all is counted."""
    text = "\n\n".join("这座港口的老灯塔在冬天的早晨显得格外安静。" * 8 for _ in range(900))
    corpus = Corpora(corpora.tokenizer, {"zh": text}).open("zh", 100_000)
    needle = Needle(text="The code of the vault is QR-7749.", value="QR-7749")
    return cpu(lambda: build(draw(corpus, "1", ["QR-7749"]), [needle], 100_000, corpora.tokenizer))


def main() -> None:
    """Print a Markdown table."""
    print("| what | measured | goal | held |\n|---|---|---|---|")
    say("open the vocabulary", cpu(open_tokenizer, 1), "s", None)
    tokenizer = open_tokenizer()
    tokenizer.count("warm")
    base = peak()
    corpora = Corpora(tokenizer)
    say(
        "cold: 1,000,000 tokens, prose written and tokenised", cpu(lambda: make(cell(1_000_000), corpora), 1), "s", None
    )
    check(make(cell(1_000_000), corpora), corpora)
    say("peak memory at 1,000,000 tokens, all counted again, above the base", peak() - base, "MB", 150)
    say("base memory", base, "MB", None)
    cold = Corpora(tokenizer)
    say("cold: 15 × 15 grid to 128k", cpu(lambda: grid(cold, verify=False), 1), "s", None)
    measured(corpora)
    say("100,000 tokens of Chinese, all counted", unproven(corpora), "s", None)


if __name__ == "__main__":
    main()
