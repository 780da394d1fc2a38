"""A tool that panics is that call's `internal_error`, and the next call works: every client, both transports.

The product has no such tool. The example server `panicking` has, behind the product's own handler and transports.
"""

from drivers import Http, Stdio
from matrix import Case, drive
from support import Binaries, clean_environment, main, server


def is_internal(got: dict) -> bool:
    return (
        got["error_class"] == "internal_error"
        and got["retry_strategy"] == "abandon"
        and bool(got["request_id"])
        # The cause is for the log.
        and "purpose" not in str(got)
    )


def proof(binaries: Binaries) -> None:
    panic = Case("a panic", "panic", {}, is_internal, is_error=True)
    wanted = [panic, Case("the next call", "echo", {"word": "M87"}, lambda got: got["word"] == "M87"), panic]
    program = str(binaries.examples / "panicking")
    with server([program], r'"url":"([^"]+)"') as match:
        drive(binaries, Http(match[1]), {"panic", "echo"}, wanted)
    drive(binaries, Stdio([program, "--stdio"], clean_environment()), {"panic", "echo"}, wanted)


main(__doc__, proof, seconds=300)
