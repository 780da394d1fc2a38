"""A real archive's recorded answers come out of the command line, stdio and HTTP alike.

`../shared/replay.py` serves the recordings over TLS on loopback. The product reaches it under the archive's own name
by MANNA_RESOLVE and trusts its certificate by MANNA_CA_FILE: everything between the tool's arguments and the
connection is what runs against the real archive.
"""

import json
import re
import sys
import tempfile
import urllib.parse
from pathlib import Path

from drivers import Stdio, Http
from matrix import Case, drive
from rpc import MODERN, modern, pipe, request
from support import SHARED, Binaries, clean_environment, finish, free_port, http_server, main, post, require, server

ENDPOINT = "https://datalab.noirlab.edu/tap"
RECORDINGS = {"rows": "tap-sync-datalab-ok.json", "error": "tap-sync-datalab-error.json"}


def recorded(name: str) -> tuple[str, str]:
    """The query of a recording, and the body that answered it."""
    exchange = json.loads((SHARED / "recordings" / RECORDINGS[name]).read_text())["exchanges"][0]
    query = urllib.parse.parse_qs(exchange["request"]["body"])["QUERY"][0]
    return query, exchange["response"]["body"]


def expectations() -> dict[str, Case]:
    query, body = recorded("rows")
    rows = [[float(cell) for cell in re.findall(r"<TD>(.*?)</TD>", row)] for row in re.findall(r"<TR>(.*?)</TR>", body)]
    names = re.findall(r'<FIELD ID="[^"]*" name="([^"]*)"', body)

    def has_rows(got: dict) -> bool:
        return (
            got["rows"] == rows
            and got["row_count"] == len(rows)
            and [column["name"] for column in got["columns"]] == names
            and {column["type"] for column in got["columns"]} == {"double"}
            and {column["unit"] for column in got["columns"]} == {"Degrees"}
            and got["truncated"] is False
        )

    garbage, refusal = recorded("error")
    words = re.search(r'value="ERROR">(.*?)</INFO>', refusal)[1]

    def has_words(got: dict) -> bool:
        return got["error_class"] == "tap_query_error" and words in got["message"] and bool(got["request_id"])

    def arguments(adql: str) -> dict:
        return {"endpoint": ENDPOINT, "adql": adql, "mode": "sync", "maxrec": 10}

    return {
        "rows": Case("the recorded rows", "run_adql_query", arguments(query), has_rows),
        "error": Case("the recorded error", "run_adql_query", arguments(garbage), has_words, is_error=True),
    }


def same(one: dict) -> dict:
    """What must be the same however the call was made: all but the number of the request."""
    return {key: value for key, value in one.items() if key != "request_id"}


def by_command(binaries: Binaries, case: Case, env: dict[str, str]) -> dict:
    done = finish([binaries.manna, "call", case.tool, json.dumps(case.arguments)], env=env)
    require(done.returncode == int(case.is_error), f"{case.name}: exit code {done.returncode}: {done.stdout} {done.stderr}")
    got = json.loads(done.stdout)
    require(case.holds(got), f"{case.name}, by manna call: {got}")
    return got


def by_http(url: str, case: Case) -> list[dict]:
    """Each of these is a connection of its own that knows nothing of the others."""
    results = []
    plain = request(1, "tools/call", case.call())
    stateless = request(2, "tools/call", modern(case.call()))
    headers = {"mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": case.tool}
    for message, extra in ((plain, {}), (plain, {"mcp-protocol-version": "2025-11-25"}), (stateless, headers)):
        status, answered, body = post(url, message, **extra)
        require(status == 200, f"{case.name}, over HTTP: status {status}: {body}")
        session = [name for name in answered if name.lower() == "mcp-session-id"]
        require(not session, f"{case.name}: the server opened a session")
        result = body["result"]
        require(bool(result.get("isError")) == case.is_error, f"{case.name}, over HTTP: {result}")
        results.append(result["structuredContent"])
    return results


def by_stdio(binaries: Binaries, case: Case, env: dict[str, str]) -> dict:
    with pipe([binaries.manna, "--stdio"], env) as stdio:
        stdio.shake_hands()
        return stdio.ask(request(1, "tools/call", case.call()))["result"]["structuredContent"]


def proof(binaries: Binaries) -> None:
    if not (SHARED / "replay.py").is_file():
        binaries.skip("replay", "../shared")
        return
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        recordings = [SHARED / "recordings" / name for name in RECORDINGS.values()]
        archive = [sys.executable, "-B", SHARED / "replay.py", "--port", str(port), "--dir", folder, *recordings]
        with server(archive, r"ready\n"):
            env = clean_environment(
                MANNA_RESOLVE=(Path(folder) / "resolve.txt").read_text(),
                MANNA_CA_FILE=f"{folder}/ca.pem",
            )
            compare(binaries, env)
            seen = [json.loads(line) for line in (Path(folder) / "log.jsonl").read_text().splitlines()]
    require(seen, "the recorded archive was never asked")
    for asked in seen:
        agent = {name.lower(): value for name, value in asked["headers"].items()}.get("user-agent", "")
        require(asked["hit"] and asked["host"] == "datalab.noirlab.edu", f"the archive was asked {asked}")
        require(agent.startswith("manna/"), f"the archive was asked by {agent!r}")
    print(f"the recorded archive was asked {len(seen)} times", flush=True)


def compare(binaries: Binaries, env: dict[str, str]) -> None:
    wanted = expectations()
    port = free_port()
    with http_server([binaries.manna, "serve"], port, env=env | {"MANNA_PORT": str(port)}) as url:
        for case in wanted.values():
            by_cli = by_command(binaries, case, env)
            for other in [*by_http(url, case), by_stdio(binaries, case, env)]:
                require(same(other) == same(by_cli), f"{case.name} differs: {other} and {by_cli}")
            print(f"{case.name}: the same by command, stdio and HTTP", flush=True)
        drive(binaries, Http(url), {"run_adql_query"}, list(wanted.values()))
    drive(binaries, Stdio([str(binaries.manna), "--stdio"], env), {"run_adql_query"}, list(wanted.values()))


main(__doc__, proof, seconds=420)
