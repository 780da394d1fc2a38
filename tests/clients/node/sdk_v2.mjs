// Drives a server with the v2 TypeScript client, which speaks 2026-07-28 where the server does. See ../drivers.py
// for the task it reads from standard input and the report it writes.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { drive } from "./drive.mjs";

await drive(
  () => new Client({ name: "manna-proof-v2", version: "1" }, { versionNegotiation: { mode: "auto" } }),
  (url) => new StreamableHTTPClientTransport(url),
  (server) => new StdioClientTransport(server),
);
