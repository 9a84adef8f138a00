import { describe, expect, test } from 'vitest';
import {
  allRevisions,
  type Completion,
  createServer,
  prompt,
  type Server,
  template,
} from '../../src/index.ts';
import { type Talk, talkTo } from './talk.ts';

function completing(complete: (value: string, resolved: object) => Completion | Promise<Completion>): Server {
  const server = createServer({
    name: 'completing',
    version: '1.0.0',
    onError: () => {},
    prompts: [
      prompt({
        name: 'p',
        arguments: [
          { name: 'a', complete: (value, _context, resolved) => complete(value, resolved) },
          { name: 'plain' },
        ],
        get: () => '',
      }),
    ],
    resources: [
      template({
        uriTemplate: 'memo://{x}/{y}',
        name: 'memo',
        complete: { x: (value, _context, resolved) => complete(value, resolved) },
        read: () => '',
      }),
    ],
  });
  return server;
}

const ofPrompt = { type: 'ref/prompt', name: 'p' };
const ofTemplate = { type: 'ref/resource', uri: 'memo://{x}/{y}' };
const ask = (talk: Talk, ref: unknown, argument: unknown, more: object = {}) =>
  talk.request('completion/complete', { ref, argument, ...more });

describe.each(allRevisions)('%s', (revision) => {
  test('values are suggested for an argument of a prompt and a variable of a template', async () => {
    const talk = await talkTo(
      completing((value) => [`${value}1`, `${value}2`]),
      revision,
    );
    for (const [ref, name] of [
      [ofPrompt, 'a'],
      [ofTemplate, 'x'],
    ]) {
      const { result } = await ask(talk, ref, { name, value: 'v' });
      expect(result.completion).toEqual({ values: ['v1', 'v2'], hasMore: false });
    }
  });

  test('resolved arguments reach the completer, strings only', async () => {
    const talk = await talkTo(
      completing((_value, resolved) => [JSON.stringify(resolved)]),
      revision,
    );
    const context = { arguments: { y: 'here', z: 5, w: null } };
    const { result } = await ask(talk, ofTemplate, { name: 'x', value: '' }, { context });
    expect(result.completion.values).toEqual(['{"y":"here"}']);
    for (const odd of [undefined, {}, { arguments: 'x' }, 'x']) {
      const again = await ask(talk, ofTemplate, { name: 'x', value: '' }, { context: odd });
      expect(again.result.completion.values).toEqual(['{}']);
    }
  });

  test('at most 100 values are sent, with hasMore', async () => {
    const many = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));
    const cases: [Completion, object][] = [
      [many(100), { values: many(100), hasMore: false }],
      [many(101), { values: many(100), hasMore: true }],
      [
        { values: many(150), total: 1000 },
        { values: many(100), total: 1000, hasMore: true },
      ],
      [
        { values: many(3), total: 7 },
        { values: many(3), total: 7, hasMore: true },
      ],
      [
        { values: many(3), total: 3 },
        { values: many(3), total: 3, hasMore: false },
      ],
      [
        { values: many(3), hasMore: true },
        { values: many(3), hasMore: true },
      ],
      [[], { values: [], hasMore: false }],
    ];
    for (const [given, wanted] of cases) {
      const talk = await talkTo(
        completing(async () => given),
        revision,
      );
      expect((await ask(talk, ofPrompt, { name: 'a', value: '' })).result.completion).toEqual(wanted);
    }
  });

  test('an argument without a completer has no completions', async () => {
    const talk = await talkTo(
      completing(() => ['x']),
      revision,
    );
    for (const [ref, name] of [
      [ofPrompt, 'plain'],
      [ofTemplate, 'y'],
    ]) {
      expect((await ask(talk, ref, { name, value: '' })).result.completion).toEqual({
        values: [],
        hasMore: false,
      });
    }
  });

  test('an unknown reference is refused, also under names that every object has', async () => {
    const talk = await talkTo(
      completing(() => ['x']),
      revision,
    );
    const argument = { name: 'a', value: '' };
    const wrong: [unknown, unknown][] = [
      [{ type: 'ref/prompt', name: 'q' }, argument],
      [{ type: 'ref/resource', uri: 'memo://other' }, argument],
      [{ type: 'ref/tool', name: 'p' }, argument],
      [{ type: 'ref/prompt' }, argument],
      ['p', argument],
      [undefined, argument],
      [ofPrompt, { name: 'b', value: '' }],
      [ofTemplate, { name: 'constructor', value: '' }],
      [ofPrompt, { name: 'a' }],
      [ofPrompt, { name: 'a', value: 5 }],
      [ofPrompt, undefined],
    ];
    for (const [ref, wanted] of wrong) {
      expect([ref, wanted, (await ask(talk, ref, wanted)).error?.code]).toEqual([ref, wanted, -32602]);
    }
  });

  test('a completer that throws is an error without its text', async () => {
    const talk = await talkTo(
      completing(() => {
        throw new Error('secret');
      }),
      revision,
    );
    expect((await ask(talk, ofPrompt, { name: 'a', value: '' })).error).toEqual({
      code: -32603,
      message: 'internal error',
    });
  });

  test('a server without completers has no such method', async () => {
    const server = createServer({
      name: 'x',
      version: '1',
      prompts: [prompt({ name: 'p', arguments: [{ name: 'a' }], get: () => '' })],
    });
    const talk = await talkTo(server, revision);
    expect((await ask(talk, ofPrompt, { name: 'a', value: '' })).error?.code).toBe(-32601);
  });
});
