import { AnswerError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import { all, between } from '../revisions.ts';
import type { ScriptOptions } from './script.ts';
import { over } from './world.ts';

const capabilities = { completions: {}, prompts: {}, resources: {} };
const greet = { type: 'ref/prompt', name: 'greet' } as const;
const day = { type: 'ref/resource', uri: 'memo://{day}' } as const;

over(
  all,
  'a completion request has its reference and the value so far, and nothing else',
  async ({ script, proves }) => {
    const server = script({
      capabilities,
      answers: {
        'completion/complete': () => server.done({ completion: { values: ['Ann'], hasMore: true } }),
      },
    });
    const client = await server.connect({ roots: () => [{ uri: 'file:///home/ann' }] });
    const forPrompt = await client.complete(greet, { name: 'who', value: 'A' });
    await client.complete(day, { name: 'day', value: 'm' });
    const [first, second] = server
      .all('completion/complete')
      .map(({ params: { _meta, ...params } }) => params);
    proves('2024-11-05/completion/prompt-reference-supported', () => expect(first.ref).toEqual(greet));
    proves('2024-11-05/completion/resource-reference-supported', () => expect(second.ref).toEqual(day));
    proves('2024-11-05/completion/argument-has-name-and-value', () =>
      expect(first.argument).toEqual({ name: 'who', value: 'A' }),
    );
    proves('2024-11-05/completion/missing-or-partial-results-handled', () =>
      expect(forPrompt).toEqual({ values: ['Ann'], hasMore: true }),
    );
    proves('2024-11-05/completion/no-information-disclosure', () =>
      expect(Object.keys(first)).toEqual(['ref', 'argument']),
    );
  },
);

over(between('2025-06-18'), 'resolved values are sent as strings', async ({ script, proves }) => {
  const server = script({
    capabilities,
    answers: { 'completion/complete': () => server.done({ completion: { values: [] } }) },
  });
  await (await server.connect()).complete(greet, { name: 'who', value: 'A' }, { tone: 'kind' });
  const { params } = await server.awaitMessage('completion/complete');
  proves('2025-06-18/completion/context-carries-previous-arguments', () =>
    expect(params.context).toEqual({ arguments: { tone: 'kind' } }),
  );
  proves('2025-06-18/completion/context-arguments-are-strings', () =>
    expect(Object.values(params.context.arguments).every((value) => typeof value === 'string')).toBe(true),
  );
});

over(
  all,
  'non-string values are not sent, invalid suggestions are refused, and each caller gets its own',
  async ({ script, proves }) => {
    const completions: unknown[] = [
      { values: 'Ann' },
      { values: [7] },
      {},
      { values: Array.from({ length: 101 }, String) },
    ];
    const options = (): ScriptOptions => ({
      capabilities,
      answers: {
        'completion/complete': ({ params }) => {
          const index = Number(params.argument.value);
          return plain.done({
            completion: completions[index] ?? { values: [`secret of ${params.argument.value}`] },
          });
        },
      },
    });
    const plain = script();
    const [server, second] = [script(options()), script(options())];
    const client = await server.connect();
    const inputs = [
      await client
        .complete(greet, { name: 'who', value: 7 as never })
        .catch((error: unknown) => error instanceof TypeError),
      await client
        .complete(greet, { name: 'who' } as never)
        .catch((error: unknown) => error instanceof TypeError),
      await client
        .complete(greet, { name: 'who', value: '' }, { tone: {} as never })
        .catch((error: unknown) => error instanceof TypeError),
    ];
    proves('2024-11-05/completion/inputs-validated', () => {
      expect(inputs).toEqual([true, true, true]);
      expect(server.all('completion/complete')).toEqual([]);
    });
    const outcomes: unknown[] = [];
    for (const index of [0, 1, 2])
      outcomes.push(
        await client
          .complete(greet, { name: 'who', value: String(index) })
          .catch((error: unknown) => error instanceof AnswerError),
      );
    expect(outcomes).toEqual([true, true, true]);
    const other = await second.connect();
    const own = [
      await client.complete(greet, { name: 'who', value: 'ann' }),
      await other.complete(greet, { name: 'who', value: 'bob' }),
    ];
    proves('2024-11-05/completion/sensitive-suggestions-access-controlled', () =>
      expect(own.map(({ values }) => values)).toEqual([['secret of ann'], ['secret of bob']]),
    );
  },
);

over(all, 'only a few concurrent completions are in flight', async ({ script, proves }) => {
  const server = script({ capabilities, answers: { 'completion/complete': undefined, ping: {} } });
  const client = await server.connect();
  for (let key = 0; key < 50; key++)
    client.complete(greet, { name: 'who', value: String(key) }).catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  const sent = server.all('completion/complete').length;
  proves('2024-11-05/completion/rate-limiting-in-place', () =>
    expect([sent > 0, sent < 50]).toEqual([true, true]),
  );
});
