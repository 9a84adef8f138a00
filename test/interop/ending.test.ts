import { describe, expect } from 'vitest';
import { test } from './fixtures.ts';
import type { Ending, ServerProcess } from './server-process.ts';
import type { Servers } from './servers.ts';
import { call, initialize, initialized, request, start, stateless } from './wire.ts';
import { uriOf, type Workspace } from './workspace.ts';

const inOrder: Ending = { code: 0, signal: null };

/** The ways in which clients terminate a server. */
const ways: { name: string; end(server: ServerProcess): void; ending: Ending }[] = [
  { name: 'end of input', end: (server) => server.endInput(), ending: inOrder },
  { name: 'SIGINT', end: (server) => server.signal('SIGINT'), ending: inOrder },
  { name: 'SIGTERM', end: (server) => server.signal('SIGTERM'), ending: inOrder },
  { name: 'SIGTERM to its group', end: ({ pid }) => void process.kill(-pid, 'SIGTERM'), ending: inOrder },
  {
    name: 'end of input with SIGTERM',
    end: (server) => {
      server.endInput();
      server.signal('SIGTERM');
    },
    ending: inOrder,
  },
  { name: 'SIGKILL', end: (server) => server.signal('SIGKILL'), ending: { code: null, signal: 'SIGKILL' } },
];

describe.skipIf(process.platform === 'win32').concurrent.each(ways)(
  'a server that is terminated by $name',
  ({ name, end, ending }) => {
    test(`exits before any message, by ${name}`, async ({ servers, workspace }) => {
      const server = await start(servers, [workspace.root], { group: true });
      // Node handles a signal that arrives before the program runs
      if (name.includes('SIG')) await server.ask(request(1, 'ping'));
      end(server);
      expect(await server.ended).toEqual(ending);
      expect(groupIsEmpty(server)).toBe(true);
    });

    test(`leaves no process behind after searches and watches, by ${name}`, async ({
      servers,
      workspace,
    }) => {
      const server = await busySession(servers, workspace);
      end(server);
      expect(await server.ended).toEqual(ending);
      expect(groupIsEmpty(server)).toBe(true);
    });

    test(`leaves no process behind during a call, by ${name}`, async ({ servers, workspace }) => {
      const server = await start(servers, [workspace.root], { group: true });
      const path = workspace.holes('endless.txt', 2 ** 40);
      await server.ask(initialize('2025-11-25'));
      server.say(initialized);
      server.say(call(1, 'read_text_file', { path, startLine: 30_000 }, { progressToken: 1 }));
      await server.transcript.until(({ method }) => method === 'notifications/progress');
      end(server);
      expect(await server.ended).toEqual(ending);
      expect(groupIsEmpty(server)).toBe(true);
    });
  },
);

test('a client that ends its input right after its requests gets all responses', async ({
  servers,
  workspace,
}) => {
  const server = await start(servers, [workspace.root]);
  server.say(initialize('2025-11-25'));
  server.say(initialized);
  server.say(call(1, 'search_content', { path: workspace.root, pattern: 'alpha' }));
  server.say(request(2, 'tools/list'));
  server.endInput();
  expect(await server.ended).toEqual(inOrder);
  expect(new Set(server.transcript.received.map(({ id }) => id))).toEqual(new Set([0, 1, 2]));
});

/** Starts a server with worker threads, watches and an open stream in its own process group. */
async function busySession(servers: Servers, workspace: Workspace): Promise<ServerProcess> {
  const server = await start(servers, [workspace.root], { group: true });
  const filter = { resourceSubscriptions: [uriOf(workspace.notes)] };
  server.say(stateless('listen', 'subscriptions/listen', { notifications: filter }));
  await server.transcript.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
  await server.ask(initialize('2025-11-25'));
  server.say(initialized);
  await server.ask(call(1, 'search_content', { path: workspace.root, pattern: 'alpha' }));
  await server.ask(request(2, 'resources/subscribe', { uri: uriOf(workspace.inside) }));
  return server;
}

function groupIsEmpty({ pid }: ServerProcess): boolean {
  try {
    process.kill(-pid, 0);
    return false;
  } catch {
    return true; // the group has no process
  }
}
