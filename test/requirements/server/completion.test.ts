import { createServer, prompt, ToolError, template } from '@rootbound/protocol';
import { expect } from 'vitest';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import type { Talk } from './talk.ts';
import { over, shakeHands } from './world.ts';

const greet = { type: 'ref/prompt', name: 'greet' };
const day = { type: 'ref/resource', uri: 'memo://days/{day}' };

const complete = (talk: Talk, ref: unknown, argument: unknown, more: object = {}) =>
  talk.request('completion/complete', { ref, argument, ...more });

const numbers = Array.from({ length: 150 }, (_, index) => `n${index}`);

/** Creates a server with one prompt, completed by `suggest`. */
function suggesting(suggest: () => string[] | { values: string[]; total?: number; hasMore?: boolean }) {
  return createServer({
    name: 's',
    version: '1',
    onError: () => {},
    prompts: [prompt({ name: 'greet', arguments: [{ name: 'who', complete: suggest }], get: () => 'x' })],
  });
}

over(handshake, 'a server with completions declares them', async ({ raw, proves, revision }) => {
  const { result } = await shakeHands(raw());
  proves('2025-03-26/completion/declares-capability', () =>
    expect('completions' in result.capabilities).toBe(revision >= '2025-03-26'),
  );
});

over(stateless, 'a server with completions declares them in discover', async ({ open, proves }) => {
  const { result } = await (await open()).request('server/discover');
  const none = await (await open(createServer({ name: 'bare', version: '1' }))).request('server/discover');
  proves('2026-07-28/completion/declares-capability', () =>
    expect([result, none.result].map(({ capabilities }) => capabilities.completions)).toEqual([
      {},
      undefined,
    ]),
  );
});

over(
  all,
  'values are suggested for arguments of prompts and variables of templates',
  async ({ open, proves }) => {
    const talk = await open();
    const forPrompt = await complete(talk, greet, { name: 'who', value: 'A' });
    const forTemplate = await complete(talk, day, { name: 'day', value: 'm' });
    proves('2024-11-05/completion/request-returns-values', () =>
      expect(forPrompt.result.completion.values).toEqual(['Aa', 'Ab']),
    );
    proves('2024-11-05/completion/prompt-reference-supported', () =>
      expect(forPrompt.result.completion.values).toHaveLength(2),
    );
    proves('2024-11-05/completion/resource-reference-supported', () =>
      expect(forTemplate.result.completion.values).toEqual(['monday']),
    );
    const context = { arguments: { tone: '!' } };
    const resolved = await complete(talk, greet, { name: 'who', value: 'A' }, { context });
    proves('2025-06-18/completion/context-is-optional', () =>
      expect([forPrompt, resolved].map(({ result }) => result.completion.values)).toEqual([
        ['Aa', 'Ab'],
        ['Aa!', 'Ab!'],
      ]),
    );
  },
);

over(
  all,
  'at most a hundred values are sent, in the order of the author, with total and hasMore',
  async ({ open, proves }) => {
    const answerOf = async (suggest: Parameters<typeof suggesting>[0]) =>
      (await complete(await open(suggesting(suggest)), greet, { name: 'who', value: '' })).result.completion;
    const many = await answerOf(() => numbers);
    const few = await answerOf(() => ['b', 'a']);
    const counted = await answerOf(() => ({ values: ['a'], total: 7 }));
    proves('2024-11-05/completion/at-most-100-values', () =>
      expect(many.values).toEqual(numbers.slice(0, 100)),
    );
    proves('2024-11-05/completion/has-more-flag', () =>
      expect([many.hasMore, few.hasMore, counted.hasMore]).toEqual([true, false, true]),
    );
    proves('2024-11-05/completion/total-is-optional', () =>
      expect([few.total, counted.total]).toEqual([undefined, 7]),
    );
    proves('2024-11-05/completion/values-sorted-by-relevance', () => expect(few.values).toEqual(['b', 'a']));
  },
);

over(all, 'an invalid completion request is refused with the correct code', async ({ open, proves }) => {
  const asked: unknown[] = [];
  const suggest = (value: string) => {
    asked.push(value);
    return ['x'];
  };
  const server = createServer({
    name: 's',
    version: '1',
    resources: [
      template({ uriTemplate: 'memo://{day}', name: 'd', complete: { day: suggest }, read: () => 'x' }),
    ],
    prompts: [prompt({ name: 'greet', arguments: [{ name: 'who', complete: suggest }], get: () => 'x' })],
  });
  const talk = await open(server);
  const who = { name: 'who', value: 'A' };
  const code = async (ref: unknown, argument: unknown) => (await complete(talk, ref, argument)).error?.code;
  const unknown = await code({ type: 'ref/prompt', name: 'none' }, who);
  proves('2025-03-26/completion/invalid-prompt-name-error-32602', () => expect(unknown).toBe(-32602));
  const incomplete = [
    await code(greet, undefined),
    await code(greet, { name: 'who' }),
    await code(undefined, who),
    await code(greet, { value: 'A' }),
  ];
  proves('2025-03-26/completion/missing-arguments-error-32602', () =>
    expect(incomplete).toEqual([-32602, -32602, -32602, -32602]),
  );
  const wrong = [
    await code({ type: 'ref/prompt', name: ['greet'] }, who),
    await code({ type: 'ref/other', name: 'greet' }, who),
    await code({ type: 'ref/resource', uri: 'file:///etc/passwd' }, who),
    await code(greet, { name: 'nobody', value: '' }),
    await code(greet, { name: 'who', value: 7 }),
  ];
  proves('2024-11-05/completion/server-validates-inputs', () =>
    expect(wrong).toEqual(wrong.map(() => -32602)),
  );
  proves('2024-11-05/completion/inputs-validated', () => expect(asked).toEqual([]));
});

over(
  between('2025-03-26'),
  'a server without completions refuses them, and a bug is not revealed',
  async ({ open, proves }) => {
    const bare = await open(
      createServer({ name: 'bare', version: '1', prompts: [prompt({ name: 'greet', get: () => 'x' })] }),
    );
    const none = await complete(bare, greet, { name: 'who', value: '' });
    proves('2025-03-26/completion/unsupported-completion-error-32601', () =>
      expect(none.error.code).toBe(-32601),
    );
    const broken = suggesting(() => {
      throw new Error('secret');
    });
    const bug = await complete(await open(broken), greet, { name: 'who', value: '' });
    proves('2025-03-26/completion/internal-error-32603', () =>
      expect(bug.error).toEqual({ code: -32603, message: 'internal error' }),
    );
  },
);

over(
  all,
  'an unauthorized caller gets no suggestions and no information from the error',
  async ({ open, proves }) => {
    const asked: unknown[] = [];
    const server = createServer({
      name: 's',
      version: '1',
      scope: () => {
        throw new ToolError('you may not see this');
      },
      prompts: [
        prompt({
          name: 'greet',
          arguments: [
            {
              name: 'who',
              complete: (value) => {
                asked.push(value);
                return ['secret'];
              },
            },
          ],
          get: () => 'x',
        }),
      ],
    });
    const { error, result } = await complete(await open(server), greet, { name: 'who', value: 's' });
    proves('2024-11-05/completion/sensitive-suggestions-access-controlled', () =>
      expect([error?.code, asked]).toEqual([-32602, []]),
    );
    proves('2024-11-05/completion/no-information-disclosure', () =>
      expect([result, error.message]).toEqual([undefined, 'you may not see this']),
    );
  },
);

over(
  all,
  'completions over the limit of a connection wait, and then are refused',
  async ({ open, proves }) => {
    const stage = new Stage();
    let asked = 0;
    let fill = (): void => {};
    const filled = new Promise<void>((resolve) => {
      fill = resolve;
    });
    const held = prompt({
      name: 'greet',
      arguments: [
        {
          name: 'who',
          complete: () => {
            asked += 1;
            if (asked === 256) fill();
            return new Promise<string[]>(() => {});
          },
        },
      ],
      get: () => 'x',
    });
    const talk = await open(fixture(stage, { prompts: [held] }));
    const params = { ref: greet, argument: { name: 'who', value: '' } };
    for (let call = 0; call < 256 + 4096; call++) talk.start('completion/complete', params);
    const refused = await talk.answer(talk.start('completion/complete', params));
    await filled;
    proves('2024-11-05/completion/rate-limiting-in-place', () => expect(asked).toBe(256));
    proves('2024-11-05/completion/server-rate-limits', () =>
      expect(refused.error.message).toContain('wait for responses'),
    );
  },
);
