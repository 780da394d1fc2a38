"""Runs every proof with real clients, one after the other, and says how each went."""

import subprocess
import sys
import time

from support import HERE

PROOFS = ["purity.py", "matrix.py", "panic.py", "replay.py"]


def main() -> int:
    outcomes = []
    for proof in PROOFS:
        print(f"--- {proof}", flush=True)
        started = time.monotonic()
        code = subprocess.run([sys.executable, "-B", HERE / proof, *sys.argv[1:]], check=False).returncode
        outcomes.append((proof, code, time.monotonic() - started))
    print()
    for proof, code, seconds in outcomes:
        print(f"{proof:12} {'passed' if code == 0 else 'FAILED':6} {seconds:6.1f} s")
    failed = sum(code != 0 for _, code, _ in outcomes)
    print(f"{len(outcomes) - failed} passed, {failed} failed", flush=True)
    return int(failed > 0)


sys.exit(main())
