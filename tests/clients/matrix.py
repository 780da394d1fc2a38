"""Every client, over both transports, gets the same results from the product: good ones and errors.

The embedded archive of `manna demo` is what is queried. Over HTTP the clients talk to `manna demo --serve`, over
stdio each starts `manna demo --stdio` or, where it needs to know the archive's address beforehand,
`manna --stdio` pointed at the archive that is already up.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from drivers import CLIENTS, Http, Stdio, Transport
from support import Binaries, Failed, clean_environment, main, require, server

TOOLS = {"list_archives", "resolve_target_name", "run_adql_query"}


@dataclass(frozen=True)
class Case:
    name: str
    tool: str
    arguments: dict
    holds: Callable[[dict], bool]
    is_error: bool = False

    def call(self) -> dict:
        return {"name": self.tool, "arguments": self.arguments}


def cases(tap: str) -> list[Case]:
    query = "run_adql_query"

    def error(error_class: str, retry_strategy: str, words: str) -> Callable[[dict], bool]:
        return lambda got: (
            got["error_class"] == error_class
            and got["retry_strategy"] == retry_strategy
            and words in got["message"]
            and bool(got["request_id"])
        )

    return [
        Case("the archives", "list_archives", {}, lambda got: got["count"] == len(got["archives"]) > 0),
        Case(
            "a name",
            "resolve_target_name",
            {"name": "M87"},
            lambda got: got["resolved"] is True and abs(got["ra"] - 187.706) < 0.01 and abs(got["dec"] - 12.391) < 0.01,
        ),
        Case(
            "an unknown name",
            "resolve_target_name",
            {"name": "no such object at all"},
            lambda got: got["resolved"] is False and bool(got["message"]),
        ),
        Case(
            "a query",
            query,
            {"endpoint": tap, "adql": "SELECT TOP 3 source_id, ra, dec FROM synth.gaia_like ORDER BY source_id", "mode": "sync"},
            lambda got: (
                got["row_count"] == len(got["rows"]) == 3
                and [column["name"] for column in got["columns"]] == ["source_id", "ra", "dec"]
                # A number beyond 2^53 would have been rounded by the JavaScript clients.
                and got["columns"][0]["encoding"] == "string"
                and all(isinstance(row[0], str) and int(row[0]) > 2**53 for row in got["rows"])
            ),
        ),
        Case(
            "a query the archive refuses",
            query,
            {"endpoint": tap, "adql": "SELECT garbage FROM nowhere", "mode": "sync"},
            error("tap_query_error", "fix_and_retry", "nowhere"),
            is_error=True,
        ),
        Case(
            "an address the guard refuses",
            query,
            {"endpoint": "http://169.254.169.254/tap", "adql": "SELECT 1", "mode": "sync"},
            error("validation_error", "abandon", "endpoint"),
            is_error=True,
        ),
        Case(
            "an argument of the wrong kind",
            query,
            {"endpoint": tap, "adql": "SELECT 1", "maxrec": 0},
            error("validation_error", "fix_and_retry", "maxrec"),
            is_error=True,
        ),
        Case(
            "an argument nobody knows",
            "resolve_target_name",
            {"name": "M87", "colour": "blue"},
            error("validation_error", "fix_and_retry", "colour"),
            is_error=True,
        ),
    ]


def check(case: Case, result: dict) -> None:
    """The result reached the client: marked, whole in its structured form, and the same in its text."""
    require("thrown" not in result, f"{case.name}: the client kept the result from its user: {result.get('thrown')}")
    require(bool(result.get("isError")) == case.is_error, f"{case.name}: isError is {result.get('isError')}: {result}")
    structured = result.get("structuredContent")
    require(isinstance(structured, dict), f"{case.name}: no structured content: {result}")
    texts = [block["text"] for block in result["content"] if block["type"] == "text"]
    require(len(texts) == 1, f"{case.name}: {len(texts)} text blocks")
    require(json.loads(texts[0]) == structured, f"{case.name}: the text says something else: {texts[0]}")
    try:
        holds = case.holds(structured)
    except (KeyError, TypeError, IndexError, ValueError) as problem:
        raise Failed(f"{case.name}: {problem!r} in {structured}") from None
    require(holds, f"{case.name}: not what was expected: {structured}")


def drive(binaries: Binaries, transport: Transport, tools: set[str], wanted: list[Case]) -> None:
    for client, driver in CLIENTS.items():
        try:
            report = driver(binaries, transport, [case.call() for case in wanted])
            listed = {tool["name"] for tool in report["tools"]}
            require(tools <= listed, f"the tools are {sorted(listed)}")
            for case, result in zip(wanted, report["results"], strict=True):
                check(case, result)
        except Failed as failure:
            raise Failed(f"{client} over {transport.name}: {failure}") from None
        print(f"{client:22} {transport.name:6} {len(wanted)} calls", flush=True)


def proof(binaries: Binaries) -> None:
    demo = [binaries.manna, "demo", "--serve", "--port", "0"]
    addresses = r"MCP server:\s+(\S+)\n.*embedded archive:\s+(\S+)\n(?:.*name resolver:\s+(\S+)\n)?"
    with server(demo, addresses) as match:
        mcp, tap = match[1], match[2]
        wanted = cases(tap)
        drive(binaries, Http(mcp), TOOLS, wanted)
        archive = tap.split("/")[2]
        sesame = match[3] or f"http://{archive}/cgi-bin/nph-sesame"
        env = clean_environment(MANNA_TRUSTED_HOSTS=archive, MANNA_SESAME_URLS=sesame)
        drive(binaries, Stdio([str(binaries.manna), "--stdio"], env), TOOLS, wanted)
    own = [case for case in wanted if case.arguments.get("endpoint") != tap]
    drive(binaries, Stdio([str(binaries.manna), "demo", "--stdio"], clean_environment()), TOOLS, own)


if __name__ == "__main__":
    main(__doc__, proof, seconds=600)
