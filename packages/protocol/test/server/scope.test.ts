import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  allRevisions,
  createServer,
  handshakeRevisions,
  prompt,
  resource,
  type ScopeRequest,
  type Server,
  ToolError,
  tool,
} from '../../src/index.ts';
import { talkTo, textOf } from './talk.ts';

interface Scope {
  number: number;
  folders: unknown;
}

/** Returns a server whose tool returns its scope. */
function scoped(
  scope: (request: ScopeRequest) => Scope | Promise<Scope>,
  faults: unknown[] = [],
): Server<Scope> {
  const server = createServer<Scope>({
    name: 'scoped',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    scope,
    tools: [
      tool({
        name: 'show',
        description: 'Shows its scope.',
        input: z.object({}),
        run: (_args, { scope: own }) => JSON.stringify(own),
      }),
    ],
    prompts: [
      prompt({
        name: 'p',
        arguments: [{ name: 'a', complete: () => ['x'] }],
        get: (_args, { scope: own }) => JSON.stringify(own),
      }),
    ],
    resources: [
      resource({ uri: 'memo://a', name: 'a', read: (_uri, { scope: own }) => JSON.stringify(own) }),
    ],
    listResources: () => [],
  });
  return server;
}

const ref = { type: 'ref/prompt', name: 'p' };
const requests: [string, object][] = [
  ['tools/call', { name: 'show', arguments: {} }],
  ['prompts/get', { name: 'p' }],
  ['resources/read', { uri: 'memo://a' }],
  ['resources/list', {}],
  ['completion/complete', { ref, argument: { name: 'a', value: '' } }],
];

describe.each(allRevisions)('%s', (revision) => {
  test('every call has its own scope', async () => {
    let number = 0;
    const server = scoped(({ facts }) => ({ number: ++number, folders: facts.revision }));
    const talk = await talkTo(server, revision);
    const values = [];
    for (let i = 0; i < 3; i++) values.push(JSON.parse(textOf(await talk.call('show'))));
    expect(values).toEqual([1, 2, 3].map((each) => ({ number: each, folders: revision })));
  });

  test('a scope that throws a ToolError fails the request with its message', async () => {
    let works = false;
    const faults: unknown[] = [];
    const talk = await talkTo(
      scoped(() => {
        if (works) return { number: 1, folders: [] };
        throw new ToolError('no folder may be used', { code: 'no-roots', hint: 'name one' });
      }, faults),
      revision,
    );
    for (const [method, params] of requests) {
      const answer = await talk.request(method, params);
      const words = method === 'tools/call' ? textOf(answer) : answer.error.message;
      expect([method, words]).toEqual([
        method,
        expect.stringMatching(/^no folder may be used(;\s|\n)name one$/),
      ]);
    }
    expect(faults).toEqual([]);
    works = true;
    expect(JSON.parse(textOf(await talk.call('show'))).number).toBe(1);
  });

  test('a scope that throws another error fails the request without its text', async () => {
    const faults: unknown[] = [];
    const talk = await talkTo(
      scoped(async () => {
        throw new Error('secret');
      }, faults),
      revision,
    );
    for (const [method, params] of requests) {
      const answer = await talk.request(method, params);
      expect(answer.result?.isError === true || answer.error?.code === -32603).toBe(true);
      expect(JSON.stringify(answer)).not.toContain('secret');
    }
    expect(faults.length).toBe(requests.length);
  });
});

const withRoots = (): Server<Scope> =>
  scoped(async ({ facts }) => ({ number: 1, folders: (await facts.session?.clientRoots()) ?? 'none' }));
const roots = { roots: { listChanged: true } };

describe.each(handshakeRevisions)('%s', (revision) => {
  test('the first call waits for the roots of the session, and later ones use the cached roots', async () => {
    const talk = await talkTo(withRoots(), revision, { capabilities: roots, folders: 'later' });
    talk.wire.say(talk.line('a', 'tools/call', { name: 'show', arguments: {} }));
    const { id, method } = await talk.wire.next();
    expect(method).toBe('roots/list');
    talk.wire.say(talk.line('p', 'ping'));
    await talk.wire.answer('p');
    expect(talk.wire.heard.some((message) => message.id === 'a')).toBe(false);
    talk.reply(id, { roots: [{ uri: 'file:///a' }, 'junk', { name: 'no URI' }] });
    expect(JSON.parse(textOf(await talk.wire.answer('a'))).folders).toEqual([{ uri: 'file:///a' }]);
    expect(JSON.parse(textOf(await talk.call('show'))).folders).toEqual([{ uri: 'file:///a' }]);
    expect(talk.wire.heard.filter((message) => message.method === 'roots/list').length).toBe(1);
  });

  test('after a change the next call waits for the new roots', async () => {
    const talk = await talkTo(withRoots(), revision, {
      capabilities: roots,
      folders: [{ uri: 'file:///a' }],
    });
    expect(JSON.parse(textOf(await talk.call('show'))).folders).toEqual([{ uri: 'file:///a' }]);
    talk.wire.say('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    const moved = await talk.call('show', {}, {}, () => ({ roots: [{ uri: 'file:///b' }] }));
    expect(JSON.parse(textOf(moved)).folders).toEqual([{ uri: 'file:///b' }]);
  });

  test('only the newest of several changes counts, whatever the order of the responses', async () => {
    const talk = await talkTo(withRoots(), revision, { capabilities: roots, folders: [] });
    for (let i = 0; i < 2; i++)
      talk.wire.say('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    const asked = [await talk.wire.next(), await talk.wire.next()];
    talk.wire.say(talk.line('a', 'tools/call', { name: 'show', arguments: {} }));
    talk.reply(asked[1].id, { roots: [{ uri: 'file:///new' }] });
    talk.reply(asked[0].id, { roots: [{ uri: 'file:///old' }] });
    expect(JSON.parse(textOf(await talk.wire.answer('a'))).folders).toEqual([{ uri: 'file:///new' }]);
    expect(JSON.parse(textOf(await talk.call('show'))).folders).toEqual([{ uri: 'file:///new' }]);
  });

  test('a client that responds with an error keeps its earlier roots', async () => {
    const talk = await talkTo(withRoots(), revision, {
      capabilities: roots,
      folders: [{ uri: 'file:///a' }],
    });
    talk.wire.say('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    const answer = await talk.call('show', {}, {}, () => ({ error: { code: -32603, message: 'no' } }));
    expect(JSON.parse(textOf(answer)).folders).toEqual([{ uri: 'file:///a' }]);
  });

  test('a client that declares no roots is never asked for them', async () => {
    const talk = await talkTo(withRoots(), revision);
    talk.wire.say('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    expect(JSON.parse(textOf(await talk.call('show'))).folders).toBe('none');
    expect(talk.wire.heard.filter((message) => message.method !== undefined)).toEqual([]);
  });
});
