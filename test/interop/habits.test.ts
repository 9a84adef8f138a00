import { describe, expect } from 'vitest';
import { full } from '../extent.ts';
import { test } from './fixtures.ts';
import { metaOf } from './message.ts';
import type { ServerProcess } from './server-process.ts';
import {
  call,
  envelope,
  initialize,
  initialized,
  notification,
  request,
  start,
  stateless,
  textOf,
} from './wire.ts';
import { uriOf } from './workspace.ts';

const all = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** All revisions in the full run; the oldest and the newest with other Node versions. */
const revisions = full ? all : ([all[0], all[3]] as const);

describe.concurrent.each(revisions)('in a handshake session at %s', (revision) => {
  test(`logging/setLevel before notifications/initialized is answered at ${revision}`, async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    await server.ask(initialize(revision));
    const set = await server.ask(request(1, 'logging/setLevel', { level: 'debug' }));
    server.say(initialized);
    const listed = await server.ask(request(2, 'tools/list'));
    expect([set.result, listed.error]).toEqual([{}, undefined]);
  });

  test(`logging/setLevel as the first request of a session is answered at ${revision}`, async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    await server.ask(initialize(revision));
    server.say(initialized);
    const set = await server.ask(request(1, 'logging/setLevel', { level: 'info' }));
    expect(set.result).toEqual({});
  });

  test(`lists of undeclared capabilities are answered, and unknown methods refused, at ${revision}`, async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    await server.ask(initialize(revision));
    server.say(initialized);
    const offered = ['prompts/list', 'resources/list', 'resources/templates/list', 'tools/list', 'ping'];
    for (const [id, method] of offered.entries()) {
      expect((await server.ask(request(id + 1, method))).error).toBeUndefined();
    }
    for (const method of ['tasks/list', 'roots/list', 'server/discover', 'nothing/at-all']) {
      server.say(request(method, method));
      expect((await server.transcript.answer(method)).error?.code).toBe(-32601);
    }
  });

  test(`a cancellation of an answered call is ignored at ${revision}`, async ({ servers, workspace }) => {
    const server = await start(servers, [workspace.root]);
    await server.ask(initialize(revision));
    server.say(initialized);
    await server.ask(call(1, 'read_text_file', { path: workspace.notes }));
    server.say(notification('notifications/cancelled', { requestId: 1, reason: 'late' }));
    server.say(notification('notifications/cancelled', { requestId: 'never asked' }));
    const next = await server.ask(call(2, 'read_text_file', { path: workspace.notes }));
    expect(textOf(next)).toBe('alpha\nbeta\n');
    expect(server.transcript.received).toHaveLength(3);
  });

  test(`a UUID as progressToken is returned with the progress at ${revision}`, async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    const progressToken = '3f0c2a7e-9d1b-4c55-8a77-0d9f6f1c2b3a';
    await server.ask(initialize(revision));
    server.say(initialized);
    const paths = [workspace.notes, workspace.inside];
    await server.ask(call(1, 'read_multiple_files', { paths }, { progressToken }));
    const progress = server.transcript.received.filter(({ method }) => method === 'notifications/progress');
    expect(progress.at(-1)?.params).toMatchObject({ progressToken, progress: 2, total: 2 });
    // no progress after the response
    expect(server.transcript.received.at(-1)?.id).toBe(1);
  });

  test(`0 is a valid progressToken of tools/list and of a call at ${revision}`, async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    await server.ask(initialize(revision));
    server.say(initialized);
    const listed = await server.ask(request(1, 'tools/list', { _meta: { progressToken: 0 } }));
    expect(listed.error).toBeUndefined();
    await server.ask(call(2, 'read_multiple_files', { paths: [workspace.notes] }, { progressToken: 0 }));
    const progress = server.transcript.received.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params?.progressToken)).toEqual([0]);
  });
});

describe.concurrent('at the start of a session', () => {
  test('a request before initialize is refused, and the handshake then succeeds', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    const early = await server.ask(request(1, 'logging/setLevel', { level: 'debug' }));
    expect(early.error?.code).toBe(-32602);
    const hello = await server.ask(initialize('2025-11-25', {}, 2));
    expect(hello.error).toBeUndefined();
  });

  test('an unknown revision is answered with the newest of the handshake', async ({ servers, workspace }) => {
    const server = await start(servers, [workspace.root]);
    const { params } = initialize('2025-11-25');
    const hello = await server.ask(request(0, 'initialize', { ...params, protocolVersion: '2099-01-01' }));
    expect(hello.result?.protocolVersion).toBe('2025-11-25');
  });
});

describe.concurrent('a client that declares roots', () => {
  test('after an empty list of roots the roots of the arguments apply', async ({ servers, workspace }) => {
    const server = await start(servers, [workspace.root]);
    const id = await askedForRoots(server);
    server.say({ jsonrpc: '2.0', id, result: { roots: [] } });
    const read = await server.ask(call('read', 'read_text_file', { path: workspace.notes }));
    expect(textOf(read)).toBe('alpha\nbeta\n');
  });

  test('after an error of roots/list the roots of the arguments apply', async ({ servers, workspace }) => {
    const server = await start(servers, [workspace.root]);
    const id = await askedForRoots(server);
    server.say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    const read = await server.ask(call('read', 'read_text_file', { path: workspace.notes }));
    expect(textOf(read)).toBe('alpha\nbeta\n');
  });

  test('a call waits for the first roots; lists of tools and prompts do not', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    const id = await askedForRoots(server);
    server.say(call('read', 'read_text_file', { path: workspace.notes }));
    const tools = await server.ask(request('tools', 'tools/list'));
    const prompts = await server.ask(request('prompts', 'prompts/list'));
    expect([tools.error, prompts.error]).toEqual([undefined, undefined]);
    expect(server.transcript.received.filter((message) => message.id === 'read')).toEqual([]);
    server.say({ jsonrpc: '2.0', id, result: { roots: [{ uri: uriOf(workspace.inner) }] } });
    expect((await server.transcript.answer('read')).result?.isError).toBe(true);
  });

  test('a client that never answers roots/list gets an error, and the next call asks again', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    const first = await askedForRoots(server);
    const refused = await server.ask(call('early', 'read_text_file', { path: workspace.notes }));
    expect([refused.result?.isError, textOf(refused)]).toEqual([true, expect.stringContaining('roots')]);
    const given = server.transcript.received.find(({ method }) => method === 'notifications/cancelled');
    expect(given?.params?.requestId).toBe(first);
    server.say(call('late', 'read_text_file', { path: workspace.notes }));
    const { id } = await server.transcript.until(
      (message) => message.method === 'roots/list' && message.id !== first,
    );
    server.say({ jsonrpc: '2.0', id: id!, result: { roots: [] } });
    expect(textOf(await server.transcript.answer('late'))).toBe('alpha\nbeta\n');
  });

  test('roots that change before the answer arrives apply to the next call', async ({
    servers,
    workspace,
  }) => {
    const server = await start(servers, [workspace.root]);
    const first = await askedForRoots(server);
    server.say({ jsonrpc: '2.0', id: first, result: { roots: [{ uri: uriOf(workspace.inner) }] } });
    await server.ask(call('before', 'read_text_file', { path: workspace.inside }));
    server.say(notification('notifications/roots/list_changed'));
    server.say(call('after', 'read_text_file', { path: workspace.inside }));
    const { id } = await server.transcript.until(
      (message) => message.method === 'roots/list' && message.id !== first,
    );
    server.say({ jsonrpc: '2.0', id: id!, result: { roots: [{ uri: uriOf(workspace.elsewhere) }] } });
    const [before, after] = [
      await server.transcript.answer('before'),
      await server.transcript.answer('after'),
    ];
    expect([textOf(before), after.result?.isError]).toEqual(['inside\n', true]);
  });
});

describe.concurrent('in a stateless session', () => {
  test('methods of the other era are refused at 2026-07-28', async ({ servers, workspace }) => {
    const server = await start(servers, [workspace.root]);
    for (const method of ['logging/setLevel', 'resources/subscribe', 'ping', 'tasks/list']) {
      server.say(stateless(method, method));
      expect((await server.transcript.answer(method)).error?.code).toBe(-32601);
    }
    expect((await server.ask(stateless(1, 'resources/list'))).error).toBeUndefined();
  });

  test('a late cancellation is ignored at 2026-07-28', async ({ servers, workspace }) => {
    const server = await start(servers, [workspace.root]);
    await server.ask(stateless(1, 'tools/list'));
    server.say(notification('notifications/cancelled', { requestId: 1 }));
    expect((await server.ask(stateless(2, 'tools/list'))).error).toBeUndefined();
    expect(server.transcript.received).toHaveLength(2);
  });

  test('progress has the token of the call at 2026-07-28', async ({ servers, workspace }) => {
    const server = await start(servers, [workspace.root]);
    const listing = { _meta: { ...envelope, progressToken: 0 } };
    expect((await server.ask(request(1, 'tools/list', listing))).error).toBeUndefined();
    const meta = { ...envelope, progressToken: 'a token' };
    const paths = [workspace.notes, workspace.inside];
    const read = await server.ask(call(2, 'read_multiple_files', { paths }, meta));
    const progress = server.transcript.received.filter(({ method }) => method === 'notifications/progress');
    expect(progress.at(-1)?.params).toMatchObject({ progressToken: 'a token', progress: 2 });
    expect(metaOf(read.result)).toHaveProperty('io.modelcontextprotocol/serverInfo');
  });
});

const declared = { roots: { listChanged: true } };

/** Performs the handshake of a client with roots and returns the id of the server's roots/list. */
async function askedForRoots(server: ServerProcess): Promise<string | number> {
  await server.ask(initialize('2025-11-25', declared, 'hello'));
  server.say(initialized);
  const { id } = await server.transcript.until(({ method }) => method === 'roots/list');
  return id!;
}
