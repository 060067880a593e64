"""`python -m examples.generator`: write `examples/` anew, or the demo of another seed elsewhere."""

import argparse
from pathlib import Path

from examples.generator.company import demo_of
from examples.generator.files import write_demo
from examples.generator.world import SHIPPED

parser = argparse.ArgumentParser(prog="python -m examples.generator", description=__doc__)
parser.add_argument("--seed", type=int, default=SHIPPED, help="another company, other numbers, another order")
parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1], help="default: examples/")
arguments = parser.parse_args()
write_demo(arguments.out, demo_of(arguments.seed))
