import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  type Client,
  type ClientOptions,
  connect,
  type ElicitRequestURLParams,
  streams,
} from '../../src/client.ts';
import {
  createServer,
  type PagesRequired,
  type PageVisit,
  pagesRequired,
  prompt,
  resource,
  type Server,
  tool,
  url,
} from '../../src/index.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import { serveMemory } from '../../src/testing.ts';
import { Tap } from '../client/tap.ts';
import type { Message } from '../wire/message.ts';

/** A server whose tool, prompt and resource require an account that the user connects on a page. */
class Calendar {
  connected = false;
  /** the last thrown error */
  required: PagesRequired | undefined;
  /** the visit of the newest `url` */
  visit: PageVisit | undefined;
  runs = 0;
  readonly faults: unknown[] = [];
  readonly server: Server = createServer({
    name: 'calendar',
    version: '1.0.0',
    onError: (error) => this.faults.push(error),
    tools: [
      tool({
        name: 'today',
        description: 'What is on today.',
        input: z.object({}),
        run: () => {
          this.#assertConnected();
          this.runs += 1;
          return 'nothing';
        },
      }),
      tool({
        name: 'visit',
        description: 'Has a page visited.',
        input: z.object({}),
        ask: async (_args, ask) =>
          (await ask({ page: url('Look.', 'https://example.com/look', { id: 'look-1' }) })).page,
        run: (_args, { answers: visit }) => {
          this.visit = visit;
          return visit.id;
        },
      }),
    ],
    prompts: [
      prompt({
        name: 'plan',
        get: () => {
          this.#assertConnected();
          return 'Plan.';
        },
      }),
    ],
    resources: [
      resource({
        uri: 'calendar://today',
        name: 'today',
        read: () => {
          this.#assertConnected();
          return 'nothing';
        },
      }),
    ],
  });

  #assertConnected(): void {
    if (this.connected) return;
    this.required = pagesRequired(
      { message: 'Connect your calendar.', url: 'https://example.com/connect' },
      { message: 'Agree.', url: 'https://example.com/agree', id: 'agree-1' },
    );
    throw this.required;
  }

  /** Does what the pages do after the user's visit. */
  connect(): void {
    this.connected = true;
    for (const { visit } of this.required?.pages ?? []) visit.completed();
  }
}

async function open(
  calendar: Calendar,
  revision: Revision,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; tap: Tap }> {
  const tap = new Tap(
    streams(() => serveMemory(calendar.server)),
    revision,
  );
  const chosen: Partial<ClientOptions> =
    revision === '2026-07-28' ? { era: { pinned: revision } } : { era: 'handshake', revision };
  const client = await connect(tap, { name: 'tester', version: '1.0.0', ...chosen, ...options });
  return { client, tap };
}

const kinds: [string, (client: Client) => Promise<unknown>][] = [
  ['tool', (client) => client.callTool('today')],
  ['prompt', (client) => client.getPrompt('plan')],
  ['resource', (client) => client.readResource('calendar://today')],
];
const accepting = { elicitation: { url: () => ({ action: 'accept' as const }) } };

describe.each(kinds)('a %s that requires page visits', (_kind, call) => {
  test('is refused at 2025-11-25 with an error that lists the pages, and nothing else', async () => {
    const calendar = new Calendar();
    const { client, tap } = await open(calendar, '2025-11-25', {
      elicitation: { url: () => ({ action: 'decline' }) },
    });
    const { pages } = await call(client).then(
      () => undefined as never,
      (error: Error) => {
        expect(error).toMatchObject({
          code: -32042,
          data: {
            elicitations: [
              {
                mode: 'url',
                elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
                message: 'Connect your calendar.',
                url: 'https://example.com/connect',
              },
              { mode: 'url', elicitationId: 'agree-1', message: 'Agree.', url: 'https://example.com/agree' },
            ],
          },
        });
        return calendar.required!;
      },
    );
    expect(pages.map(({ visit }) => visit.id)).toContain('agree-1');
    expect([tap.faults, calendar.faults]).toEqual([[], []]);
  });

  test('is repeated by the client once the user has agreed and finished on the pages', async () => {
    const calendar = new Calendar();
    const asked: ElicitRequestURLParams[] = [];
    const { client, tap } = await open(calendar, '2025-11-25', {
      elicitation: {
        url: (params, { completed }) => {
          asked.push(params);
          void completed?.then(() => asked.push({ ...params, message: 'done' }));
          if (asked.length === 2) queueMicrotask(() => calendar.connect());
          return { action: 'accept' };
        },
      },
    });
    await call(client);
    expect(asked.map(({ message }) => message)).toEqual(['Connect your calendar.', 'Agree.', 'done', 'done']);
    expect(tap.heard.filter(({ method }) => method === 'notifications/elicitation/complete')).toHaveLength(2);
    expect(tap.faults).toEqual([]);
  });

  test('asks in a round at 2026-07-28, and fails if the user has not finished', async () => {
    const calendar = new Calendar();
    const { client, tap } = await open(calendar, '2026-07-28', accepting);
    const early = await call(client).then(
      (result) => JSON.stringify(result),
      (error: Error) => error.message,
    );
    expect(early).toContain('the user has not finished on the page yet');
    const asked: Message = tap.heard.find(({ result }) => result?.resultType === 'input_required');
    expect(asked.result.inputRequests).toEqual({
      page_1: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Connect your calendar.', url: 'https://example.com/connect' },
      },
      page_2: {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Agree.', url: 'https://example.com/agree' },
      },
    });
    calendar.connect();
    await call(client);
    expect(tap.faults).toEqual([]);
  });

  test('continues in the same round at 2026-07-28 if the user has finished in the meantime', async () => {
    const calendar = new Calendar();
    const { client, tap } = await open(calendar, '2026-07-28', {
      elicitation: {
        url: () => {
          calendar.connected = true;
          return { action: 'accept' };
        },
      },
    });
    await call(client);
    expect(tap.faults).toEqual([]);
  });
});

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a client of %s that opens no pages gets the missing capability',
  async (revision) => {
    const { client } = await open(new Calendar(), revision, {
      elicitation: { form: () => ({ action: 'decline' }) },
    });
    const outcome = await client.callTool('today').then(
      ({ content, isError }) => [isError, JSON.stringify(content)],
      ({ code, message }: { code: number; message: string }) => [code, message],
    );
    expect(outcome).toEqual([
      revision === '2025-11-25' ? true : -32021,
      expect.stringContaining('needs the client capability elicitation'),
    ]);
  },
);

test('a page that the user declines leaves the call refused, without a wait', async () => {
  const calendar = new Calendar();
  let asked = 0;
  const { client } = await open(calendar, '2025-11-25', {
    elicitation: {
      url: () => {
        asked += 1;
        return { action: 'cancel' };
      },
    },
  });
  await expect(client.callTool('today')).rejects.toMatchObject({ code: -32042 });
  expect([asked, calendar.runs]).toEqual([1, 0]);
});

test('a server that always requires page visits gets four requests', async () => {
  const calendar = new Calendar();
  let asked = 0;
  const { client } = await open(calendar, '2025-11-25', {
    elicitation: {
      url: () => {
        asked += 1;
        const { pages = [] } = calendar.required ?? {};
        if (asked % 2 === 0)
          queueMicrotask(() => {
            for (const { visit } of pages) visit.completed();
          });
        return { action: 'accept' };
      },
    },
  });
  await expect(client.callTool('today')).rejects.toMatchObject({ code: -32042 });
  expect(asked).toBe(6);
});

test('waiting for a page ends when the call is cancelled', async () => {
  const calendar = new Calendar();
  const controller = new AbortController();
  const { client } = await open(calendar, '2025-11-25', {
    elicitation: {
      url: ({ message }) => {
        if (message === 'Agree.') setImmediate(() => controller.abort());
        return { action: 'accept' };
      },
    },
  });
  await expect(client.callTool('today', {}, { signal: controller.signal })).rejects.toMatchObject({
    reason: 'cancelled',
  });
});

describe('url', () => {
  test('has an id at 2025-11-25, and notifies only the client that asked when the user has finished', async () => {
    const calendar = new Calendar();
    const first = await open(calendar, '2025-11-25', accepting);
    const other = await open(calendar, '2025-11-25', accepting);
    const { content } = await first.client.callTool('visit');
    expect(content).toEqual([{ type: 'text', text: 'look-1' }]);
    const question: Message = first.tap.heard.find(({ method }) => method === 'elicitation/create');
    expect(question.params).toEqual({
      mode: 'url',
      elicitationId: 'look-1',
      message: 'Look.',
      url: 'https://example.com/look',
    });
    calendar.visit?.completed();
    calendar.visit?.completed();
    for (const { client } of [first, other]) await client.ping();
    const done = ({ tap }: typeof first): Message[] =>
      tap.heard.filter(({ method }) => method === 'notifications/elicitation/complete');
    expect(done(first).map(({ params }) => params)).toEqual([{ elicitationId: 'look-1' }]);
    expect(done(other)).toEqual([]);
    expect(first.tap.faults).toEqual([]);
  });

  test('has neither an id nor a completion notification at 2026-07-28', async () => {
    const calendar = new Calendar();
    const { client, tap } = await open(calendar, '2026-07-28', accepting);
    await client.callTool('visit');
    calendar.visit?.completed();
    await client.listTools();
    expect(JSON.stringify(tap.heard)).not.toMatch(/elicitationId|elicitation\/complete/);
    expect(tap.faults).toEqual([]);
  });

  test.each([
    'http://example.com/',
    'javascript:alert(1)',
    'not an address',
    'https://ada:secret@example.com/',
    'https://example.com/?access_token=x',
  ])('refuses %s', (target) => {
    expect(() => url('Look.', target)).toThrow(TypeError);
    expect(() => pagesRequired({ message: 'Look.', url: target })).toThrow(TypeError);
  });
});

test('a client ignores the completion of pages that it has not opened', async () => {
  const calendar = new Calendar();
  const faults: unknown[] = [];
  const { client } = await open(calendar, '2025-11-25', {
    ...accepting,
    onError: (error) => faults.push(error),
  });
  for (const params of [{ elicitationId: 'unknown' }, { elicitationId: 7 }, {}])
    client.notified({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params });
  await client.ping();
  expect(faults).toEqual([]);
});
