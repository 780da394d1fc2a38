// The part that both TypeScript SDKs have in common: connect, list the tools, make the calls, report.
import { text } from "node:stream/consumers";

export async function drive(newClient, http, stdio) {
  const task = JSON.parse(await text(process.stdin));
  const transport = task.url
    ? http(new URL(task.url))
    : stdio({ command: task.command[0], args: task.command.slice(1), env: task.env, stderr: "inherit" });
  const client = newClient();
  await client.connect(transport);
  // The SDKs check results against the output schemas of this list; without it they would not.
  const { tools } = await client.listTools();
  const results = [];
  for (const call of task.calls) {
    try {
      results.push(await client.callTool(call));
    } catch (error) {
      results.push({ thrown: `${error?.name}: ${error?.message}` });
    }
  }
  const server = client.getServerVersion();
  const protocol = client.getNegotiatedProtocolVersion?.() ?? null;
  await client.close();
  process.stdout.write(JSON.stringify({ server, protocol, tools, results }));
}
