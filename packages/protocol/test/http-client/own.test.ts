import { createServer as createListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { type Change, type Client, type ClientOptions, connect, http } from '../../src/client.ts';
import { createHttpHandler, type HttpHandler, serveHttp } from '../../src/http.ts';
import { createServer, tool } from '../../src/index.ts';
import { allRevisions, type Revision, revisions } from '../../src/protocol/revisions.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';

/** Our server at one URL, which can disappear and come back. */
class Place {
  stage = new Stage();
  readonly url: string;
  readonly #sockets = new Set<Socket>();
  #handler: HttpHandler<unknown> | undefined;

  constructor(port: number) {
    this.url = `http://127.0.0.1:${port}/mcp`;
    this.start();
  }

  start(): void {
    this.stage = new Stage();
    this.#handler = createHttpHandler(fixtureServer(this.stage));
  }

  /** Ends as a killed process does: connections break, and nothing is stored. */
  kill(): void {
    this.#handler?.close();
    this.#handler = undefined;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  static async open(): Promise<Place> {
    let place: Place;
    const server = createListener((request, response) => {
      if (place.#handler === undefined) request.socket.resetAndDestroy();
      else place.#handler.node(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    place = new Place((server.address() as AddressInfo).port);
    server.on('connection', (socket) => {
      place.#sockets.add(socket);
      socket.once('close', () => place.#sockets.delete(socket));
    });
    onTestFinished(async () => {
      place.kill();
      await new Promise((resolve) => server.close(resolve));
    });
    return place;
  }
}

interface Used {
  client: Client;
  place: Place;
  faults: string[];
}

async function use(revision: Revision, options: Partial<ClientOptions> = {}): Promise<Used> {
  const place = await Place.open();
  const faults: string[] = [];
  const client = await connect(http(place.url, { reconnect: { delay: 1, attempts: 100 } }), {
    ...me,
    onError: ({ message }) => faults.push(message),
    ...(revisions[revision].era === 'handshake' && { era: 'handshake', revision }),
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, place, faults };
}

const me = { name: 'tester', version: '1.0.0' };
const textResult = (text: string): object => ({ content: [{ type: 'text', text }] });

describe.each(allRevisions)('a client of %s and our own server over HTTP', (revision) => {
  const { era, structured } = revisions[revision];

  test('negotiate, and every feature works', async () => {
    const logs: unknown[] = [];
    const { client, faults } = await use(revision, {
      logLevel: 'debug',
      roots: () => [{ uri: 'file:///a' }],
      sampling: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'y' } }),
      ...(structured && { elicitation: () => ({ action: 'accept', content: { name: 'Ada' } }) }),
    });
    client.onLog(({ data }) => logs.push(data));
    expect(client.revision).toBe(revision);
    expect((await client.listTools()).map(({ name }) => name)).toContain('add');
    expect(await client.callTool('add', { a: 1, b: 2 })).toMatchObject(textResult('{"sum":3}'));
    expect((await client.readResource('memo://today')).contents[0]).toMatchObject({
      text: 'water the plants',
    });
    expect((await client.getPrompt('greet', { who: 'Ada' })).messages).toHaveLength(1);
    const steps: number[] = [];
    const onProgress = ({ progress }: { progress: number }): number => steps.push(progress);
    await client.callTool('steps', { values: [1, 2, 3] }, { onProgress });
    await client.callTool('say');
    expect([steps.at(-1), logs]).toEqual([3, ['low', { high: true }]]);
    if (structured) {
      const survey = await client.callTool('survey');
      expect(JSON.stringify(survey.content)).toContain('Ada');
    }
    await client.close();
    expect(faults).toEqual([]);
  });

  test('a hundred concurrent calls each get their own response', async () => {
    const { client } = await use(revision);
    const calls = Array.from({ length: 100 }, (_, n) =>
      client.callTool(n % 2 === 0 ? 'echo' : 'later', { text: `${n}` }),
    );
    expect(await Promise.all(calls)).toMatchObject(calls.map((_, n) => textResult(`${n}`)));
  });

  test('a cancelled call is cancelled in the server', async () => {
    const { client, place } = await use(revision);
    const controller = new AbortController();
    const held = client.callTool('hold', { text: 'mine' }, { signal: controller.signal });
    await client.callTool('echo', { text: 'fence' });
    controller.abort();
    await expect(held).rejects.toMatchObject({ reason: 'cancelled' });
    while (place.stage.aborted.length === 0) await client.callTool('echo', { text: 'fence' });
    expect(place.stage.aborted).toEqual(['mine']);
  });

  test('a large response arrives complete', async () => {
    const { client } = await use(revision);
    const { content } = await client.callTool('big', { size: 5_000_000 });
    expect((content[0] as { text: string }).text.length).toBe(5_000_000);
  });

  test('changes arrive, also after the server was killed and came back', async () => {
    const { client, place } = await use(revision);
    const changes: Change[] = [];
    let heard: () => void = () => {};
    await client.subscribe('memo://a', (change) => {
      changes.push(change);
      heard();
    });
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        heard = resolve;
      });
    const change = { kind: 'resource', uri: 'memo://a' };
    const first = next();
    // the stream of a session may not be open yet; earlier messages wait for it
    place.stage.touch('memo://a');
    await first;
    const missed = next();
    place.kill();
    place.start();
    await missed;
    expect(changes).toEqual([change, change]);
    while (place.stage.watchers('memo://a') === 0) await client.callTool('echo', { text: 'fence' });
    const last = next();
    place.stage.touch('memo://a');
    await last;
    expect(changes).toEqual([change, change, change]);
  });

  test('a server that is killed and comes back serves later requests, and responds to nothing twice', async () => {
    const { client, place } = await use(revision);
    const text = (n: number): string => `${n}`;
    let [answered, lost] = [0, 0];
    for (let round = 0; round < 5; round++) {
      const calls = Array.from({ length: 10 }, (_, n) => client.callTool('later', { text: text(n) }));
      place.kill();
      place.start();
      const outcomes = await Promise.allSettled(calls);
      for (const [n, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') expect(outcome.value).toMatchObject(textResult(text(n)));
        else expect(outcome.reason).toMatchObject({ reason: 'closed' });
        if (outcome.status === 'fulfilled') answered += 1;
        else lost += 1;
      }
      expect(await client.callTool('echo', { text: 'back' })).toMatchObject(textResult('back'));
    }
    expect(answered + lost).toBe(50);
    expect(client.era).toBe(era);
  });
});

test.each(['2025-06-18', '2025-11-25'] as const)(
  'a call of %s whose connection the server closes gets its response',
  async (revision) => {
    const server = createServer({
      name: 'patient',
      version: '1.0.0',
      tools: [
        tool({
          name: 'wait',
          description: 'Answers when the client has come back.',
          input: z.object({ text: z.string() }),
          run: async ({ text }, context) => {
            context.log('info', 'before');
            context.releaseConnection(1);
            context.log('info', 'after');
            await new Promise((resolve) => setImmediate(resolve));
            return text;
          },
        }),
      ],
    });
    const { url, close } = await serveHttp(server, { port: 0 });
    onTestFinished(() => close(0));
    const logs: unknown[] = [];
    const client = await connect(http(url, { reconnect: { delay: 1 } }), {
      ...me,
      era: 'handshake',
      revision,
      logLevel: 'info',
    });
    onTestFinished(() => client.close());
    client.onLog(({ data }) => logs.push(data));
    const calls = Array.from({ length: 10 }, (_, n) => client.callTool('wait', { text: `${n}` }));
    expect(await Promise.all(calls)).toEqual(calls.map((_, n) => textResult(`${n}`)));
    const counts = ['before', 'after'].map((word) => logs.filter((log) => log === word).length);
    expect(counts).toEqual([10, 10]);
  },
);

test('a client without an era finds the newest', async () => {
  const { client } = await use('2026-07-28');
  expect(client.revision).toBe('2026-07-28');
});
