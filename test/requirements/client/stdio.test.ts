import { fileURLToPath } from 'node:url';
import { type ClientOptions, childProcess, connect } from '@rootbound/protocol/client';
import { expect, onTestFinished } from 'vitest';
import { validateMessage } from '../../schema/validate.ts';
import type { Message } from '../message.ts';
import { all, between, stateless } from '../revisions.ts';
import { over, type World } from './world.ts';

const program = fileURLToPath(new URL('./child.mjs', import.meta.url));

/** Starts a child process with a client, and collects the lines of its stderr. */
async function start(
  { script }: World,
  habits: string[] = [],
  options: Partial<ClientOptions> = {},
  env: Record<string, string> = {},
) {
  const reported: string[] = [];
  let rest = '';
  const stderr = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    reported.push(...lines);
  };
  const transport = childProcess({
    command: process.execPath,
    args: [program, ...habits],
    stderr,
    env,
    endGrace: 150,
  });
  const client = await connect(transport, script().clientOptions(options));
  onTestFinished(() => client.close());
  const received = (): Message[] =>
    reported.filter((line) => line.startsWith('line ')).map((line) => JSON.parse(line.slice(5)));
  return { client, reported, received };
}

over(all, 'the server is a child process with one message per line', async (world) => {
  const { proves, revision } = world;
  const { client, reported, received } = await start(world);
  const { content } = await client.callTool('pid', { text: 'one\ntwo\r\n\u2028' });
  await client.close();
  const messages = received();
  proves('2024-11-05/transport-stdio/client-supports-stdio', () =>
    expect(content[0]).toMatchObject({ text: expect.stringMatching(/^\d+$/) }),
  );
  proves('2024-11-05/transport-stdio/client-launches-server-as-subprocess', () =>
    expect(reported[0]).toBe(`started ${process.pid}`),
  );
  proves('2024-11-05/transport-stdio/newline-delimits-messages', () =>
    expect(messages.at(-1).params.arguments).toEqual({ text: 'one\ntwo\r\n\u2028' }),
  );
  proves('2024-11-05/transport-stdio/no-embedded-newlines', () =>
    expect(reported.filter((line) => !/^(line \{.*\}|started \d+|stdin ended)$/s.test(line))).toEqual([]),
  );
  proves('2024-11-05/transport-stdio/client-stdin-carries-only-mcp', () => {
    for (const message of messages) expect(() => validateMessage(revision, 'client', message)).not.toThrow();
  });
  proves('2025-06-18/transport-stdio/line-is-an-individual-message', () =>
    expect(messages.filter(Array.isArray)).toEqual([]),
  );
  if (revision === '2025-03-26')
    proves('2025-03-26/transport-stdio/line-may-carry-a-batch', () =>
      expect(messages.length).toBeGreaterThan(2),
    );
  proves('2026-07-28/transport-stdio/client-writes-no-responses', () =>
    expect(messages.filter(({ method }) => method === undefined)).toEqual([]),
  );
  proves('2026-07-28/transport-stdio/stdio-metadata-only-in-body', () =>
    expect(messages.map(({ params }) => params?._meta?.['io.modelcontextprotocol/protocolVersion'])).toEqual(
      messages.map(() => (revision === '2026-07-28' ? revision : undefined)),
    ),
  );
});

over(between('2025-03-26'), 'credentials of a server are only in its environment', async (world) => {
  const { proves } = world;
  const { client, reported } = await start(world, [], {}, { CHILD_TOKEN: 'from the environment' });
  await client.close();
  const without = await start(world);
  await without.client.close();
  proves('2025-03-26/authorization/stdio-credentials-from-environment', () => {
    expect([reported.includes('signed in'), without.reported.includes('signed in')]).toEqual([true, false]);
    expect(reported.filter((line) => line.includes('from the environment'))).toEqual([]);
  });
});

over(all, 'a server that exits at the end of its input gets no signal', async (world) => {
  const { proves } = world;
  const { client, reported } = await start(world);
  await client.close();
  proves('2024-11-05/transport-stdio/client-closes-stdin-first', () =>
    expect(reported.slice(-1)).toEqual(['stdin ended']),
  );
  proves('2026-07-28/transport-stdio/client-waits-for-server-exit', () =>
    expect(reported).not.toContain('SIGTERM'),
  );
});

over(all, 'a server that does not exit gets SIGTERM, and then SIGKILL', async (world) => {
  const { proves } = world;
  const asked = await start(world, ['stays']);
  await asked.client.close();
  proves('2024-11-05/transport-stdio/client-waits-then-sends-sigterm', () =>
    expect(asked.reported.slice(-2)).toEqual(['stdin ended', 'SIGTERM']),
  );
  const closed: string[] = [];
  const forced = await start(world, ['stays', 'stubborn'], { onClose: (reason) => closed.push(reason) });
  const { content } = await forced.client.callTool('pid');
  await forced.client.close();
  const gone = () =>
    expect(() => process.kill(Number((content[0] as { text: string }).text), 0)).toThrow('ESRCH');
  proves('2024-11-05/transport-stdio/client-sends-sigkill-last', () => {
    expect(forced.reported.slice(-2)).toEqual(['stdin ended', 'SIGTERM']);
    gone();
  });
  proves('2026-07-28/transport-stdio/client-force-terminates-hanging-server', gone);
  proves('2026-07-28/transport-stdio/posix-termination-escalates-to-sigkill', () => {
    expect(forced.reported).toContain('SIGTERM');
    gone();
  });
});

over(between('2025-11-25'), 'output on stderr is not an error', async (world) => {
  const faults: Error[] = [];
  const { client, reported } = await start(world, ['noisy'], { onError: (error) => void faults.push(error) });
  const tools = await client.listTools();
  world.proves('2025-11-25/transport-stdio/stderr-output-not-treated-as-error', () => {
    expect(reported).toContain('ERROR: something looks wrong');
    expect([tools, faults]).toEqual([[], []]);
  });
});

over(stateless, 'a server that exits is restarted, and requests can be repeated', async (world) => {
  const { proves } = world;
  const { client, reported } = await start(world, [], { reopen: { delay: 1 } });
  const pid = async () => ((await client.callTool('pid')).content[0] as { text: string }).text;
  const first = await pid();
  const lost = await client.callTool('crash').catch((error: Error) => error.name);
  const second = await pid();
  proves('2026-07-28/transport-stdio/client-restarts-crashed-server', () =>
    expect(reported.filter((line) => line.startsWith('started'))).toHaveLength(2),
  );
  proves('2026-07-28/transport-stdio/lost-requests-retryable-after-restart', () =>
    expect([typeof lost, first === second]).toEqual(['string', false]),
  );
});
