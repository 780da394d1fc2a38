"""Runs `@modelcontextprotocol/conformance` against the product and against the fixture server.

The fixture server has the tools the suite asks for and stands on the product's HTTP stack: nothing may fail there
but what needs a session, which we do not keep. The product has tools of its own; the lists in `conformance/` name
the scenarios that cannot pass without fixtures. The suite also fails when an entry of a list no longer does, so that
the lists can only shrink.
"""

import re

from support import HERE, NODE_FOLDER, Binaries, Failed, clean_environment, finish, free_port, http_server, main, server

REVISIONS = ["2026-07-28", "2025-11-25"]


def run_suite(binaries: Binaries, who: str, url: str, revision: str) -> None:
    suite = NODE_FOLDER / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    command = [binaries.node, suite, "server", "--url", url, "--requirements", revision, "--timeout", "30000"]
    expected = HERE / "conformance" / f"{who}-{revision}.yml"
    if expected.exists():
        command += ["--expected-failures", expected]
    done = finish(command, seconds=180, cwd=HERE)
    total = re.search(r"^Total: .*$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not total:
        failing = "\n".join(line for line in done.stdout.splitlines() if line.startswith("✗"))
        raise Failed(f"{who}, {revision}, against {expected.name}:\n{failing}\n{done.stdout[-6000:]}\n{done.stderr[-2000:]}")
    print(f"{who:8} {revision}  {total[0]}", flush=True)


def proof(binaries: Binaries) -> None:
    with server([binaries.examples / "conformance"], r'"url":"([^"]+)"') as match:
        for revision in REVISIONS:
            run_suite(binaries, "fixture", match[1], revision)
    port = free_port()
    env = clean_environment(MANNA_PORT=str(port))
    with http_server([binaries.manna, "serve"], port, env=env) as url:
        for revision in REVISIONS:
            run_suite(binaries, "product", url, revision)


main(__doc__, proof, seconds=600)
