import { type Scenario, withClient } from './run.ts';

interface WantedCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** Uses every method that has its own header. */
export const useEverything: Scenario = (run) =>
  withClient(run, async (client) => {
    for (const { name } of await client.listTools()) await client.callTool(name);
    for (const { uri } of await client.listResources()) await client.readResource(uri);
    for (const { name } of await client.listPrompts()) await client.getPrompt(name);
  });

/** Makes the calls of the scenario, with arguments that become headers. */
export const makeCalls: Scenario = (run) =>
  withClient(run, async (client) => {
    await client.listTools();
    const calls = run.context.toolCalls as readonly WantedCall[]; // the suite writes them
    for (const { name, arguments: args } of calls) await client.callTool(name, args);
  });

/** Calls every tool that the client lists, to detect one that it should have left out. */
export const callEveryTool: Scenario = (run) =>
  withClient(run, async (client) => {
    for (const { name, inputSchema } of await client.listTools()) {
      const names = Object.keys(inputSchema.properties ?? {});
      await client.callTool(name, Object.fromEntries(names.map((key) => [key, 'value'])));
    }
  });
