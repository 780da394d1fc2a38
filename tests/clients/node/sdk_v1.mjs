// Drives a server with the v1 TypeScript SDK, on which many clients are still built. See ../drivers.py for the
// task it reads from standard input and the report it writes.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { drive } from "./drive.mjs";

await drive(
  () => new Client({ name: "manna-proof-v1", version: "1" }),
  (url) => new StreamableHTTPClientTransport(url),
  (server) => new StdioClientTransport(server),
);
