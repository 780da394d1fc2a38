"""What every proof needs: where the binaries are, servers that are always stopped again, and a total deadline."""

import argparse
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE_FOLDER = HERE / "node"
# Data for tests that lies beside the checkout, on machines that have it.
SHARED = HERE.parents[2] / "shared"


class Failed(Exception):
    """A proof that did not hold; its text is for the person who reads the log."""


def require(holds: object, text: str) -> None:
    if not holds:
        raise Failed(text)


@dataclass(frozen=True)
class Binaries:
    manna: Path
    examples: Path
    node: Path
    no_skip: bool

    @classmethod
    def from_arguments(cls, about: str) -> "Binaries":
        parser = argparse.ArgumentParser(description=about)
        parser.add_argument("--manna", type=Path, required=True, help="the binary under test")
        parser.add_argument("--examples", type=Path, required=True, help="the folder of the example servers")
        parser.add_argument("--node", type=Path, required=True, help="node, version 24")
        parser.add_argument("--no-skip", action="store_true", help="a proof that cannot run here is a failure")
        given = parser.parse_args()
        for path in (given.manna, given.node):
            if not path.is_file():
                parser.error(f"{path} is not there; `cargo xtask check --only clients` builds and installs it")
        return cls(given.manna.resolve(), given.examples.resolve(), given.node.resolve(), given.no_skip)

    def skip(self, name: str, needs: str) -> None:
        if self.no_skip:
            raise Failed(f"{name} needs {needs}")
        print(f"skipped: {name} needs {needs}", flush=True)


def clean_environment(**extra: str) -> dict[str, str]:
    """The environment for a server: nothing that would configure it but what the proof says."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MANNA_")}
    return kept | extra


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def finish(command: list[str | Path], *, seconds: float = 60, stdin: str = "", **options) -> subprocess.CompletedProcess:
    """Runs `command` to its end; one that takes longer is killed with all it started."""
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )
    try:
        out, err = process.communicate(stdin, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(map(str, command))} was not done after {seconds} s") from None
    finally:
        kill(process)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def kill(process: subprocess.Popen) -> None:
    """Ends a process that was started in a session of its own, and its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=10)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()


@contextlib.contextmanager
def server(command: list[str | Path], says: str, *, seconds: float = 30, env: dict[str, str] | None = None) -> Iterator[re.Match]:
    """Runs `command` until the block ends; the block gets the match of `says` in what the server printed."""
    errors = tempfile.TemporaryFile("w+")
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        start_new_session=True,
        env=env or clean_environment(),
    )
    printed: list[str] = []
    found: list[re.Match] = []
    ready = threading.Event()

    def read() -> None:
        for line in process.stdout:
            printed.append(line)
            if not found and (match := re.search(says, "".join(printed))):
                found.append(match)
                ready.set()
        ready.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        ready.wait(seconds)
        if not found:
            errors.seek(0)
            raise Failed(
                f"{' '.join(map(str, command))} did not say {says!r} within {seconds} s, but: "
                f"{''.join(printed)!r}, and on standard error: {errors.read()[-2000:]!r}"
            )
        yield found[0]
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=10)
        reader.join(timeout=10)
        process.stdout.close()
        errors.close()


@contextlib.contextmanager
def http_server(command: list[str | Path], port: int, *, seconds: float = 30, env: dict[str, str] | None = None) -> Iterator[str]:
    """Runs a server that listens on `port` and says nothing: its MCP address, once `/ready` answers."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
            start_new_session=True,
            env=env or clean_environment(),
        )
        try:
            until = time.monotonic() + seconds
            while not answers(f"http://127.0.0.1:{port}/ready"):
                if process.poll() is not None or time.monotonic() > until:
                    errors.seek(0)
                    raise Failed(f"{' '.join(map(str, command))} does not answer on port {port}: {errors.read()[-2000:]!r}")
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            kill(process)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


def post(url: str, message: dict, **headers: str) -> tuple[int, dict, dict]:
    """One JSON-RPC message on a connection of its own: the status, the headers and the answer."""
    request = urllib.request.Request(
        url,
        json.dumps(message).encode(),
        {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, dict(response.headers), json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), json.loads(error.read() or b"null")


def main(about: str, proof, *, seconds: int) -> None:
    """Runs `proof(binaries)` within a total deadline; the exit code says how it went."""
    binaries = Binaries.from_arguments(about)

    def over(*_) -> None:
        raise Failed(f"not done after {seconds} s")

    signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        proof(binaries)
    except Failed as failure:
        sys.exit(f"{Path(sys.argv[0]).name}: {failure}")
