"""Drives a server with fastmcp. See drivers.py for the task it reads from standard input and the report it writes."""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport


async def main() -> None:
    task = json.load(sys.stdin)
    if "url" in task:
        transport = StreamableHttpTransport(task["url"])
    else:
        command, *arguments = task["command"]
        transport = StdioTransport(command, arguments, env=task["env"])
    async with Client(transport, name="manna-proof-fastmcp", timeout=60) as client:
        tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in await client.list_tools()]
        results = []
        for call in task["calls"]:
            try:
                result = await client.call_tool(call["name"], call["arguments"], raise_on_error=False)
            except Exception as error:  # noqa: BLE001: whatever the client throws is what we report
                results.append({"thrown": f"{type(error).__name__}: {error}"})
                continue
            results.append(
                {
                    "isError": result.is_error,
                    "structuredContent": result.structured_content,
                    "content": [block.model_dump(by_alias=True, exclude_none=True) for block in result.content],
                }
            )
    json.dump({"tools": tools, "results": results}, sys.stdout)


asyncio.run(main())
