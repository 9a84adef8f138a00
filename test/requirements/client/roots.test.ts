import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { folderRoots } from '@rootbound/protocol/client';
import { expect, onTestFinished } from 'vitest';
import type { Message } from '../message.ts';
import { all, handshake, stateless } from '../revisions.ts';
import type { Script } from './script.ts';
import { over, type World } from './world.ts';

const home = { uri: 'file:///home/ada', name: 'home' };
type Roots = Parameters<Script['connect']>[0] extends infer O
  ? NonNullable<O extends { roots?: infer R } ? R : never>
  : never;

/** Asks a client for its roots with the method of the era; undefined if the request is refused. */
async function ask({ script, stateless: modern }: World, roots: Roots): Promise<Message> {
  if (!modern) {
    const server = script();
    await server.connect({ roots });
    return (await server.ask(1, 'roots/list')).result?.roots;
  }
  const question = { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } };
  const server: Script = script({
    capabilities: { tools: {} },
    answers: {
      'tools/call': ({ params }) =>
        params.inputResponses === undefined ? question : server.done({ content: [] }),
    },
  });
  const client = await server.connect({ roots });
  await client.callTool('a').catch(() => {});
  return server.all('tools/call')[1]?.params.inputResponses.r.roots;
}

function folder(): string {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'rootbound-roots-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  return top;
}

over(
  handshake,
  'a client with roots declares them, and notifies every change',
  async ({ script, proves }) => {
    const server = script();
    let roots = [home];
    const client = await server.connect({ roots: () => roots });
    const { capabilities } = server.heard[0].params;
    proves('2024-11-05/roots/declares-capability', () => expect(capabilities.roots).toBeTypeOf('object'));
    proves('2024-11-05/roots/list-changed-flag-announces-notifications', () =>
      expect(capabilities.roots).toEqual({ listChanged: true }),
    );
    for (const next of [[home, { uri: 'file:///tmp', name: 'tmp' }], [], [home]]) {
      roots = next;
      client.rootsChanged();
    }
    await server.ask('fence', 'ping');
    proves('2024-11-05/roots/list-changed-notification-sent', () =>
      expect(server.all('notifications/roots/list_changed')[0]).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/roots/list_changed',
      }),
    );
    proves('2024-11-05/roots/every-root-change-notified', () =>
      expect(server.all('notifications/roots/list_changed')).toHaveLength(3),
    );
  },
);

over(stateless, 'a client with roots declares them in each request', async ({ script, proves }) => {
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/list': () => server.done({ tools: [] }) },
  });
  await (await server.connect({ roots: () => [home] })).listTools();
  proves('2026-07-28/roots/declares-capability', () =>
    expect(
      server.heard.map(({ params }) => params._meta['io.modelcontextprotocol/clientCapabilities'].roots),
    ).toEqual([{}, {}]),
  );
});

over(all, 'a server gets the roots of the client, each once', async (world) => {
  const { proves } = world;
  const answer = await ask(world, () => [home, { uri: 'file:///tmp' }, home]);
  proves('2024-11-05/roots/list-returns-roots', () => expect(answer).toEqual([home, { uri: 'file:///tmp' }]));
  proves('2024-11-05/roots/uri-identifies-root-uniquely', () =>
    expect(answer.map(({ uri }: Message) => uri)).toEqual(['file:///home/ada', 'file:///tmp']),
  );
  proves('2024-11-05/roots/name-is-optional', () =>
    expect(answer.map(({ name }: Message) => name)).toEqual(['home', undefined]),
  );
  proves('2024-11-05/roots/only-permitted-roots-exposed', () => expect(answer).toHaveLength(2));
});

over(all, 'a root with another scheme or with dot segments is not sent', async (world) => {
  const { proves } = world;
  const refused = async (uri: string) => (await ask(world, () => [{ uri }])) === undefined;
  const schemes = [
    await refused('https://example.com/'),
    await refused('/home/ada'),
    await refused('git:///a'),
  ];
  proves('2024-11-05/roots/uri-uses-file-scheme', () => expect(schemes).toEqual([true, true, true]));
  const climbing = [
    await refused('file:///home/ada/../root'),
    await refused('file:///home/%2e%2e/root'),
    await refused('file:///home/ada/..%2froot'),
    await refused('file:///a%00b'),
    await refused('file:///a%ff'),
  ];
  proves('2024-11-05/roots/root-uris-validated', () =>
    expect(climbing).toEqual([true, true, true, true, true]),
  );
});

over(
  handshake,
  'a client without roots, or with a failing provider, answers with an error',
  async ({ script, proves }) => {
    const bare = script();
    await bare.connect();
    const none = await bare.ask(1, 'roots/list');
    proves('2024-11-05/roots/unsupported-roots-error-32601', () => expect(none.error.code).toBe(-32601));
    const broken = script();
    await broken.connect({ roots: () => Promise.reject(new Error('secret')) });
    const failed = await broken.ask(1, 'roots/list');
    proves('2024-11-05/roots/internal-error-32603', () =>
      expect(failed.error).toEqual({ code: -32603, message: 'internal error' }),
    );
  },
);

over(
  stateless,
  'a failing roots provider ends the call without an input response',
  async ({ script, proves }) => {
    const server = script({
      capabilities: { tools: {} },
      answers: {
        'tools/call': () => ({
          resultType: 'input_required',
          inputRequests: { r: { method: 'roots/list' } },
        }),
      },
    });
    const client = await server.connect({ roots: () => Promise.reject(new Error('no disk')) });
    const error = await client.callTool('a').catch((reason: unknown) => reason);
    proves('2026-07-28/roots/roots-error-needs-no-reply', () => {
      expect(String(error)).toContain('no disk');
      expect(server.all('tools/call')).toHaveLength(1);
    });
    proves('2026-07-28/roots/roots-are-informational', () =>
      expect(server.heard.filter((message) => 'error' in message)).toEqual([]),
    );
  },
);

over(
  all,
  'existing folders are sent as roots, and their creation and deletion is notified',
  async (world) => {
    const { proves } = world;
    const top = folder();
    const [open, closed, missing] = [join(top, 'open'), join(top, 'closed'), join(top, 'missing')];
    mkdirSync(open);
    mkdirSync(closed, { mode: 0o000 });
    const roots = folderRoots([open, closed, missing, open], { interval: 10 });
    const expected = { uri: pathToFileURL(open).href, name: 'open' };
    const answer = await ask(world, roots);
    // root can read every file
    const readable =
      process.getuid?.() === 0 ? [expected, { uri: pathToFileURL(closed).href, name: 'closed' }] : [expected];
    proves('2024-11-05/roots/accessibility-checked-before-exposing', () => expect(answer).toEqual(readable));
    proves('2024-11-05/roots/client-enforces-access-controls', () =>
      expect(answer.map(({ uri }: Message) => uri)).not.toContain(pathToFileURL(missing).href),
    );
    const changes: (() => void)[] = [];
    const stop = roots.watch(() => changes.shift()?.());
    const next = () => new Promise<void>((resolve) => changes.push(resolve));
    const appears = next();
    mkdirSync(missing);
    await appears;
    const after = (await roots()).map(({ name }) => name);
    proves('2024-11-05/roots/root-changes-monitored', () => expect(after).toContain('missing'));
    const goes = next();
    renameSync(open, `${open}-gone`);
    await goes;
    const gone = (await ask(world, roots)).map(({ name }: Message) => name);
    proves('2024-11-05/roots/root-accessibility-monitored', () => expect(gone).not.toContain('open'));
    stop();
    chmodSync(closed, 0o700);
  },
);
