import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { full, outermost } from '../../../../test/extent.ts';
import {
  type Client,
  type ClientOptions,
  childProcess,
  connect,
  streams,
  type Transport,
} from '../../src/client.ts';
import { allRevisions, type Revision, revisions } from '../../src/protocol/revisions.ts';
import { serveMemory } from '../../src/testing.ts';
import { fixtureServer } from '../wire/fixture.ts';
import { type Program, program } from '../wire/program.ts';
import { Tap } from './tap.ts';

let built: Program;
beforeAll(async () => {
  built = await program('./server.ts');
});
afterAll(() => built.remove());

const places: Record<string, () => Transport> = {
  memory: () => streams(() => serveMemory(fixtureServer())),
  process: () => childProcess({ command: process.execPath, args: [built.path] }),
};
const worlds = [
  ...allRevisions.map((revision) => ({ place: 'memory', revision })),
  ...outermost(allRevisions).map((revision) => ({ place: 'process', revision })),
];

describe.each(worlds)('$place $revision', ({ place, revision }) => {
  const { era, structured, icons } = revisions[revision];
  const stateless = era === 'stateless';
  const sinceElicitation = structured ? test : undefined;
  const sincePages = icons ? test : undefined;

  async function open(options: Partial<ClientOptions> = {}): Promise<{ client: Client; tap: Tap }> {
    const tap = new Tap(places[place]!(), revision);
    const era = stateless ? ('auto' as const) : ('handshake' as const);
    const wanted: { revision?: Revision } = stateless ? {} : { revision };
    const client = await connect(tap, {
      name: 'tester',
      version: '1.0.0',
      timeout: 120_000,
      era,
      ...wanted,
      ...options,
    });
    return { client, tap };
  }

  test('every feature of a server is listed, read, rendered and completed', async () => {
    const { client, tap } = await open();
    expect((await client.listTools()).map(({ name }) => name)).toContain('add');
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['memo://today', 'memo://bytes']);
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
      'memo://days/{day}',
    ]);
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['greet']);
    expect((await client.readResource('memo://days/monday')).contents).toEqual([
      { uri: 'memo://days/monday', mimeType: 'text/plain', text: 'water the plants' },
    ]);
    expect((await client.getPrompt('greet', { who: 'Ada' })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Greet Ada.' } },
    ]);
    const completion = await client.complete(
      { type: 'ref/prompt', name: 'greet' },
      { name: 'who', value: 'A' },
      { x: 'y' },
    );
    expect(completion.values).toEqual(['Aa', 'Ab']);
    const sum = await client.callTool('add', { a: 1, b: 2 });
    expect(sum.content).toEqual([{ type: 'text', text: '{"sum":3}' }]);
    expect(sum.structuredContent).toEqual(revisions[revision].structured ? { sum: 3 } : undefined);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('progress reaches the call that asked for it', async () => {
    const { client, tap } = await open();
    const seen: number[] = [];
    await client.callTool('steps', { values: [1, 2] }, { onProgress: ({ progress }) => seen.push(progress) });
    await client.callTool('steps', { values: [3] });
    expect(seen).toEqual([1, 2]);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('log messages arrive from the requested level on', async () => {
    const { client, tap } = await open({ logLevel: 'warning' });
    const levels: string[] = [];
    const stop = client.onLog(({ level }) => levels.push(level));
    await client.callTool('say');
    await client.setLogLevel('debug');
    await client.callTool('say');
    stop();
    await client.callTool('say');
    expect(levels).toEqual(['warning', 'debug', 'warning']);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('a subscription reports changes of its resource until it is closed', async () => {
    const { client, tap } = await open();
    const uri = 'memo://today';
    const [first, second]: [unknown[], unknown[]] = [[], []];
    const one = await client.subscribe(uri, (change) => first.push(change));
    const two = await client.subscribe({ resourceSubscriptions: [uri, 'other://x'] }, (change) =>
      second.push(change),
    );
    expect([one.acknowledged, two.acknowledged]).toEqual([
      { resourceSubscriptions: [uri] },
      { resourceSubscriptions: [uri] },
    ]);
    await client.callTool('touch', { uri });
    await one.close();
    await client.callTool('touch', { uri });
    await two.close();
    await client.callTool('touch', { uri });
    const change = { kind: 'resource', uri };
    expect([first, second]).toEqual([[change], [change, change]]);
    expect([await one.ended, await two.ended]).toEqual([undefined, undefined]);
    await expect(client.subscribe('other://x', () => {})).rejects.toThrow();
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('a change of a list reaches its subscriber', async () => {
    const { client, tap } = await open();
    const seen: string[] = [];
    const tools = await client.onListChanged('tools', () => seen.push('tools'));
    await client.onListChanged('prompts', () => seen.push('prompts'));
    await client.callTool('announce', { list: 'tools' });
    await client.callTool('announce', { list: 'resources' });
    await client.callTool('announce', { list: 'prompts' });
    await tools.close();
    await client.callTool('announce', { list: 'tools' });
    expect(seen).toEqual(['tools', 'prompts']);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('a cancelled call fails locally, and the server is notified', async () => {
    const { client, tap } = await open();
    const controller = new AbortController();
    const call = client.callTool('hold', {}, { signal: controller.signal });
    await client.callTool('later', { text: 'the call is on its way' });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', reason: 'cancelled' });
    await client.callTool('release');
    expect(tap.sent.filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(1);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  test('an error of the server differs from a local one', async () => {
    const { client } = await open();
    await expect(client.callTool('unknown')).rejects.toMatchObject({ name: 'RpcError', code: -32602 });
    expect((await client.callTool('fail')).isError).toBe(true);
    await client.close();
    await expect(client.callTool('add')).rejects.toMatchObject({ name: 'ConnectionError', reason: 'closed' });
  });

  test('methods that the revision does not have are refused before they are sent', async () => {
    const { client, tap } = await open();
    const before = tap.sent.length;
    const missing = stateless ? 'ping' : 'server/discover';
    await expect(client.request(missing)).rejects.toMatchObject({ name: 'CapabilityError' });
    expect(tap.sent).toHaveLength(before);
    if (!stateless) await client.ping();
    await client.close();
  });

  sinceElicitation?.('questions of a tool are answered by the providers', async () => {
    const asked: string[] = [];
    const { client, tap } = await open({
      roots: () => [{ uri: 'file:///home/ada', name: 'work' }],
      sampling: ({ messages }) => {
        asked.push(JSON.stringify(messages[0]?.content));
        return { role: 'assistant', model: 'small', content: { type: 'text', text: 'hello' } };
      },
      elicitation: {
        form: ({ message }) => {
          asked.push(message);
          return {
            action: 'accept',
            content: message.startsWith('Who') ? { name: 'Ada' } : { confirm: true },
          };
        },
      },
    });
    const survey = await client.callTool('survey');
    expect(survey.content).toEqual([
      {
        type: 'text',
        text: '{"person":{"name":"Ada","age":42},"model":"small","folders":["file:///home/ada"]}',
      },
    ]);
    expect(asked).toEqual(['Who are you?', '{"type":"text","text":"Ada"}']);
    expect((await client.callTool('deploy', { env: 'prod' })).content).toEqual([
      { type: 'text', text: 'deployed' },
    ]);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  sinceElicitation?.('as many calls as there are, each with a question, are all answered', async () => {
    const { client, tap } = await open({
      elicitation: { form: () => ({ action: 'accept', content: { confirm: true } }) },
    });
    const calls = Array.from({ length: full ? 1500 : 300 }, (_, id) =>
      client.callTool('deploy', { env: `n${id}` }),
    );
    const results = await Promise.all(calls);
    expect(results.filter(({ isError }) => isError === true)).toEqual([]);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  sinceElicitation?.('a question that the user declines ends the call as a failure', async () => {
    const { client, tap } = await open({
      elicitation: { form: () => ({ action: 'decline', content: { confirm: true } }) },
    });
    const result = await client.callTool('deploy', { env: 'prod' });
    expect(result.isError).toBe(true);
    await client.close();
    expect(tap.faults).toEqual([]);
  });

  sincePages?.('a page is shown only to a client that declared pages', async () => {
    const visited: string[] = [];
    const able = await open({
      elicitation: {
        url: ({ url }) => {
          visited.push(url);
          return { action: 'accept', content: { never: 'sent' } };
        },
      },
    });
    expect((await able.client.callTool('visit')).content).toEqual([{ type: 'text', text: 'visited' }]);
    await able.client.close();
    const unable = await open({ elicitation: { form: () => ({ action: 'accept' }) } });
    const refusal = await unable.client.callTool('visit').then(
      ({ isError }) => isError,
      (error: Error) => error.name,
    );
    expect(refusal).toBe(stateless ? 'RpcError' : true);
    await unable.client.close();
    expect([visited, able.tap.faults, unable.tap.faults]).toEqual([['https://example.com/login'], [], []]);
  });

  test('roots are requested again when the client reports a change', async () => {
    let calls = 0;
    const { client, tap } = await open({
      roots: () => {
        calls += 1;
        return [{ uri: `file:///${calls}` }];
      },
    });
    client.rootsChanged();
    await client.callTool('later', { text: 'x' });
    if (!stateless)
      expect(tap.sent.filter(({ method }) => method === 'notifications/roots/list_changed')).toHaveLength(1);
    else expect(calls).toBe(0);
    await client.close();
    expect(tap.faults).toEqual([]);
  });
});
