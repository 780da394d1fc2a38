"""The clients that are driven, each as a process of its own, and the two ways to reach a server.

A driver reads a task from standard input, `{"url"} | {"command", "env"}` and `"calls": [{"name", "arguments"}]`, and
writes a report, `{"tools": [...], "results": [...]}`. A result is what the client's own API handed out: `isError`,
`structuredContent` and `content`, or `{"thrown": "..."}` when the client kept it from its user.
"""

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from support import HERE, NODE_FOLDER, Binaries, Failed, finish


@dataclass(frozen=True)
class Http:
    url: str

    name = "http"

    def task(self) -> dict:
        return {"url": self.url}


@dataclass(frozen=True)
class Stdio:
    command: list[str]
    env: dict[str, str]

    name = "stdio"

    def task(self) -> dict:
        return {"command": self.command, "env": self.env}


Transport = Http | Stdio


def run_driver(command: list[str | Path], transport: Transport, calls: list[dict]) -> dict:
    done = finish(command, stdin=json.dumps(transport.task() | {"calls": calls}), seconds=120, cwd=HERE)
    if done.returncode != 0:
        raise Failed(f"the client ended with code {done.returncode}: {done.stderr[-3000:]}")
    return json.loads(done.stdout)


def fastmcp(_: Binaries, transport: Transport, calls: list[dict]) -> dict:
    return run_driver([sys.executable, HERE / "fastmcp_client.py"], transport, calls)


def sdk_v1(binaries: Binaries, transport: Transport, calls: list[dict]) -> dict:
    return run_driver([binaries.node, NODE_FOLDER / "sdk_v1.mjs"], transport, calls)


def sdk_v2(binaries: Binaries, transport: Transport, calls: list[dict]) -> dict:
    return run_driver([binaries.node, NODE_FOLDER / "sdk_v2.mjs"], transport, calls)


# What the Inspector's command line says with its exit code (Inspector 2.12).
INSPECTOR_OK, INSPECTOR_TOOL_ERROR = 0, 5


def inspector_legacy(binaries: Binaries, transport: Transport, calls: list[dict]) -> dict:
    return inspector(binaries, transport, calls, "legacy")


def inspector_modern(binaries: Binaries, transport: Transport, calls: list[dict]) -> dict:
    return inspector(binaries, transport, calls, "modern")


def inspector(binaries: Binaries, transport: Transport, calls: list[dict], era: str) -> dict:
    """The Inspector's command line makes one request a process; over stdio each starts a server of its own."""
    if isinstance(transport, Http):
        entry = {"type": "streamable-http", "url": transport.url}
    else:
        command, *arguments = transport.command
        entry = {"type": "stdio", "command": command, "args": arguments, "env": transport.env}
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "mcp.json"
        config.write_text(json.dumps({"mcpServers": {"proof": entry | {"protocolEra": era}}}))
        # --strict also fails on schemas that other clients are known to trip over.
        listed = _inspect(binaries, config, ["--method", "tools/list", "--strict"])
        results = []
        for call in calls:
            arguments = ["--tool-name", call["name"], "--tool-args-json", json.dumps(call["arguments"])]
            results.append(_inspect(binaries, config, ["--method", "tools/call", *arguments]))
    if "thrown" in listed:
        raise Failed(f"the Inspector cannot list the tools: {listed['thrown']}")
    return {"tools": listed["tools"], "results": results}


def _inspect(binaries: Binaries, config: Path, arguments: list[str]) -> dict:
    program = NODE_FOLDER / "node_modules/.bin/mcp-inspector"
    command = [binaries.node, program, "--cli", "--config", config, "--server", "proof"]
    # No keyring here, and the Inspector starts `node` by its name, which must be the new one.
    path = f"{binaries.node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    env = os.environ | {"MCP_INSPECTOR_SECRET_STORE": "memory", "PATH": path, "HOME": str(config.parent)}
    done = finish([*command, *arguments, "--format", "json"], seconds=120, cwd=HERE, env=env)
    # A call that is refused as a whole ends with the code of a tool's error, but without a result.
    if done.returncode not in (INSPECTOR_OK, INSPECTOR_TOOL_ERROR) or not done.stdout:
        return {"thrown": f"exit code {done.returncode}: {done.stdout[-1000:]} {done.stderr[-1000:]}"}
    return json.loads(done.stdout)["result"]


CLIENTS = {
    "fastmcp": fastmcp,
    "inspector, legacy era": inspector_legacy,
    "inspector, modern era": inspector_modern,
    "sdk 1": sdk_v1,
    "sdk 2": sdk_v2,
}
