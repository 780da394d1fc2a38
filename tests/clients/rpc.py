"""JSON-RPC by hand, where a proof is about the bytes and not about a client."""

import contextlib
import json
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from queue import Empty, Queue

from support import Failed, kill

LEGACY = "2025-11-25"
MODERN = "2026-07-28"


def request(id_: int, method: str, params: dict | None = None) -> dict:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params or {}}


def modern(params: dict | None = None) -> dict:
    """`params` with what 2026-07-28 wants in every request (basic/index, `_meta`)."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "manna-proof", "version": "1"},
    }
    return (params or {}) | {"_meta": meta}


class Pipe:
    """A server on the other end of two pipes, and every line it has written."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.process = process
        self.lines: list[str] = []
        self._queue: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line)
            self._queue.put(line)

    def write(self, text: str) -> None:
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def send(self, message: dict) -> None:
        self.write(json.dumps(message) + "\n")

    def ask(self, message: dict, *, seconds: float = 60) -> dict:
        """Sends a request and waits for its answer; what comes before it is not for us."""
        self.send(message)
        while True:
            try:
                line = self._queue.get(timeout=seconds)
            except Empty:
                raise Failed(f"no answer to {message['method']} within {seconds} s") from None
            try:
                answer = json.loads(line)
            except ValueError:
                raise Failed(f"standard output carries a line that is not JSON: {line!r}") from None
            if answer.get("id") == message["id"]:
                return answer

    def shake_hands(self) -> dict:
        hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "manna-proof", "version": "1"}}
        answer = self.ask(request(0, "initialize", hello))
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def hang_up(self, *, seconds: float = 10) -> int:
        """Closes the server's input; its exit code."""
        self.process.stdin.close()
        try:
            return self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failed(f"the server still runs {seconds} s after its input ended") from None


@contextlib.contextmanager
def pipe(command: list, env: dict[str, str]) -> Iterator[Pipe]:
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
            env=env,
        )
        try:
            yield Pipe(process)
        except BrokenPipeError:
            errors.seek(0)
            raise Failed(f"the server went away: {errors.read()[-2000:]!r}") from None
        finally:
            with contextlib.suppress(OSError):
                kill(process)
