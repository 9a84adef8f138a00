import type { Tool } from '@rootbound/protocol/client';
import { type Scenario, withClient } from './run.ts';

/** Connects and closes. */
export const initialize: Scenario = (run) => withClient(run, async () => {});

/** Lists the tools, whatever references their schemas contain. */
export const listTools: Scenario = (run) =>
  withClient(run, async (client) => void (await client.listTools()));

/** Lists the tools and calls the one that adds. */
export const addNumbers: Scenario = (run) =>
  withClient(run, async (client) => {
    await client.listTools();
    await client.callTool('add_numbers', { a: 5, b: 3 });
  });

/** Calls the first tool that is listed. */
export const callFirstTool: Scenario = (run) =>
  withClient(run, async (client) => {
    const [tool] = await client.listTools();
    if (tool === undefined) throw new Error('the server lists no tool');
    await client.callTool(tool.name);
  });

/** Accepts every form unchanged, so that the server gets its defaults. */
export const acceptDefaults: Scenario = (run) =>
  withClient(run, async (client) => void (await client.callTool('test_client_elicitation_defaults')), {
    elicitation: { form: () => ({ action: 'accept' }) },
  });

/** Sends back the schema of a listed tool. */
export const echoSchema: Scenario = (run) =>
  withClient(run, async (client) => {
    const { inputSchema } = toolNamed('json_schema_2020_12_tool', await client.listTools());
    await client.callTool('json_schema_echo', { schema: inputSchema });
  });

/** Negotiates a version with a server that refuses the first attempt. */
export const negotiate: Scenario = (run) =>
  withClient(run, async (client) => void (await client.discover()), {
    era: 'auto',
    // the suite starts many clients at once, which slows them down
    probeTimeout: 20_000,
    roots: () => [{ uri: 'file:///workspace' }],
    sampling: () => ({ role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'none' }),
    elicitation: { form: () => ({ action: 'decline' }) },
  });

/** Answers the input requests of calls; makes another call between two rounds of the first. */
export const answerRounds: Scenario = async (run) => {
  let between: (() => Promise<unknown>) | undefined;
  await withClient(
    run,
    async (client) => {
      await client.listTools();
      between = () => client.callTool('test_mrtr_unrelated');
      await client.callTool('test_mrtr_echo_state');
      await client.callTool('test_mrtr_no_state');
      await client.callTool('test_mrtr_no_result_type');
    },
    {
      elicitation: {
        form: async () => {
          const other = between;
          between = undefined;
          await other?.();
          return { action: 'accept', content: { confirmed: true } };
        },
      },
    },
  );
};

function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`the server lists no tool ${name}`);
  return tool;
}
