"""Over stdio, standard output carries the protocol and nothing else, and the server ends with its input."""

import json

from rpc import modern, pipe, request
from support import Binaries, Failed, clean_environment, main, require


def check_lines(lines: list[str]) -> None:
    for line in lines:
        try:
            message = json.loads(line)
        except ValueError:
            raise Failed(f"standard output carries a line that is not JSON: {line!r}") from None
        is_message = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
        require(is_message, f"standard output carries JSON that is not JSON-RPC 2.0: {line!r}")


def refused(id_: int) -> dict:
    arguments = {"endpoint": "http://127.0.0.1/tap", "adql": "SELECT 1", "mode": "sync"}
    return {"name": "run_adql_query", "arguments": arguments} | {"_meta": {"progressToken": id_}}


def proof(binaries: Binaries) -> None:
    # The loudest the server can be.
    env = clean_environment(MANNA_LOG_LEVEL="trace", RUST_LOG="trace", RUST_BACKTRACE="1")
    for command in (["--stdio"], ["stdio"], ["demo", "--stdio"]):
        command = [binaries.manna, *command]
        with pipe(command, env) as legacy:
            name = legacy.shake_hands()["result"]["serverInfo"]["name"]
            require(name == "manna", f"the server calls itself {name!r}")
            require(legacy.ask(request(1, "tools/list"))["result"]["tools"], "no tools")
            legacy.write("this is not JSON\n\n{\"jsonrpc\": \"2.0\"}\n")
            require(legacy.ask(request(2, "tools/call", refused(2)))["result"]["isError"], "an inner address was fetched")
            require("error" in legacy.ask(request(3, "no/such/method")), "an unknown method was answered")
            code = legacy.hang_up()
            require(code == 0, f"exit code {code} at the end of the input")
            check_lines(legacy.lines)
        with pipe(command, env) as stateless:
            found = stateless.ask(request(1, "server/discover", modern()))["result"]
            require("2026-07-28" in found["supportedVersions"], f"server/discover says {found}")
            require(stateless.ask(request(2, "tools/list", modern()))["result"]["tools"], "no tools")
            code = stateless.hang_up()
            require(code == 0, f"exit code {code} at the end of the input")
            check_lines(stateless.lines)
        print(f"{' '.join(command[1:]):18} {len(legacy.lines) + len(stateless.lines)} lines, all of them JSON-RPC", flush=True)


main(__doc__, proof, seconds=180)
