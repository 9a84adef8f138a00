import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  allRevisions,
  createServer,
  prompt,
  RpcError,
  reply,
  resource,
  type Server,
  ToolError,
  tool,
} from '../../src/index.ts';
import { type Talk, talkTo, textOf } from './talk.ts';

/** Returns a server whose tool, prompt and resource run `work`, and its reported faults. */
function doing(work: () => unknown): { server: Server; faults: unknown[] } {
  const faults: unknown[] = [];
  const server = createServer({
    name: 'failing',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    tools: [
      tool({ name: 'act', description: 'd', input: z.object({}), run: work }),
      tool({
        name: 'typed',
        description: 'd',
        input: z.object({}),
        output: z.object({ sum: z.number() }),
        run: work as () => { sum: number },
      }),
      tool({
        name: 'add',
        description: 'd',
        input: z.strictObject({
          a: z.number(),
          b: z
            .object({ c: z.array(z.enum(['x', 'y'])) })
            .strict()
            .optional(),
        }),
        run: ({ a }) => String(a),
      }),
      tool({
        name: 'corrected',
        description: 'd',
        input: z.strictObject({ paths: z.array(z.string()).optional(), most: z.int().max(9).optional() }),
        correct: ({ limit, ...args }) => (limit === undefined ? args : { ...args, most: limit }),
        run: (args) => JSON.stringify(args),
      }),
      tool({ name: 'none', description: 'd', input: z.strictObject({}), run: () => 'ran' }),
    ],
    prompts: [prompt({ name: 'act', arguments: [{ name: 'a', required: true }], get: work as () => string })],
    resources: [resource({ uri: 'memo://act', name: 'act', read: work as () => string })],
  });
  return { server: server, faults };
}

const throwing = (error: unknown) =>
  doing(() => {
    throw error;
  });
const rejecting = (error: unknown) => doing(() => Promise.reject(error));

describe.each(allRevisions)('%s', (revision) => {
  const open = ({ server }: { server: Server }): Promise<Talk> => talkTo(server, revision);

  test.each([throwing, rejecting])(
    'a ToolError is a result with its message and its hint (%#)',
    async (making) => {
      const stage = making(
        new ToolError('no such file: a', { code: 'not-found', retryable: true, hint: 'list the folder' }),
      );
      const { result } = await (await open(stage)).call('act');
      expect(result).toMatchObject({
        content: [{ type: 'text', text: 'no such file: a\nlist the folder' }],
        isError: true,
        _meta: { failure: { code: 'not-found', retryable: true } },
      });
      expect('structuredContent' in result).toBe(false);
      expect(stage.faults).toEqual([]);
    },
  );

  test('the cause of a failure without a code is reported, and not sent', async () => {
    const cause = new Error('secret');
    const stage = throwing(new ToolError('it did not work', { cause }));
    const answer = await (await open(stage)).call('act');
    expect([textOf(answer), stage.faults]).toEqual(['it did not work', [cause]]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  test.each([throwing, rejecting])(
    'an RpcError is an error response with its code and data (%#)',
    async (making) => {
      const stage = making(new RpcError(-32050, 'own code', { data: { a: 1 } }));
      const talk = await open(stage);
      const wanted = { code: -32050, message: 'own code', data: { a: 1 } };
      expect((await talk.call('act')).error).toEqual(wanted);
      expect((await talk.request('prompts/get', { name: 'act', arguments: { a: '' } })).error).toEqual(
        wanted,
      );
      expect((await talk.request('resources/read', { uri: 'memo://act' })).error).toEqual(wanted);
      expect(stage.faults).toEqual([]);
    },
  );

  test.each([
    new Error('secret\nof the bug'),
    new TypeError('secret'),
    'secret',
    { secret: 1 },
    null,
    undefined,
    5,
  ])('a bug (%s) is a failure without internals and is reported completely', async (bug) => {
    for (const stage of [throwing(bug), rejecting(bug)]) {
      const talk = await open(stage);
      const answer = await talk.call('act');
      expect(answer.result.isError).toBe(true);
      expect(textOf(answer)).toBe("act failed unexpectedly; the server's log has the details");
      const got = await talk.request('prompts/get', { name: 'act', arguments: { a: '' } });
      const read = await talk.request('resources/read', { uri: 'memo://act' });
      expect([got.error, read.error]).toEqual([
        { code: -32603, message: 'internal error' },
        { code: -32603, message: 'internal error' },
      ]);
      expect(stage.faults).toEqual([bug, bug, bug]);
      expect(JSON.stringify(talk.wire.heard)).not.toContain('secret');
    }
  });

  test('a failure of a prompt or a resource is an error with its message', async () => {
    const talk = await open(throwing(new ToolError('no such day', { hint: 'try monday' })));
    const got = await talk.request('prompts/get', { name: 'act', arguments: { a: '' } });
    expect(got.error).toMatchObject({ code: -32602, message: 'no such day; try monday' });
    const read = await talk.request('resources/read', { uri: 'memo://act' });
    expect(read.error).toEqual({
      code: -32602,
      message: 'no such day; try monday',
      data: { uri: 'memo://act' },
    });
    const later = await open(throwing(new ToolError('busy', { retryable: true })));
    expect((await later.request('resources/read', { uri: 'memo://act' })).error.code).toBe(-32603);
    const missing = await open(throwing(new ToolError('gone', { code: 'not-found' })));
    expect((await missing.request('resources/read', { uri: 'memo://act' })).error).toMatchObject({
      code: revision === '2026-07-28' ? -32602 : -32002,
      message: 'resource not found',
    });
  });

  test.each([
    [{ sum: 'three' }],
    [{}],
    [null],
    [undefined],
    [[]],
    [{ sum: Number.NaN }],
    [reply({ structured: { sum: 'x' } })],
  ])(
    'an output %j that does not match its schema is a failure whose reason is only reported',
    async (output) => {
      const stage = doing(() => output);
      const answer = await (await open(stage)).call('typed');
      expect([answer.result.isError, 'structuredContent' in answer.result]).toEqual([true, false]);
      expect(textOf(answer)).toBe("typed failed unexpectedly; the server's log has the details");
      expect(stage.faults).toEqual([
        expect.objectContaining({
          message: expect.stringMatching(/^output of typed does not match its schema: /),
        }),
      ]);
    },
  );

  test('an output that cannot be serialised is a failure that is reported', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    for (const output of [circle, { a: 5n }]) {
      const stage = doing(() => reply({ structured: output, content: 'x' }));
      const talk = await open(stage);
      const answer = await talk.call('act');
      if (revision >= '2025-06-18') {
        expect(answer.result?.isError === true || answer.error?.code === -32603).toBe(true);
        expect(stage.faults.length).toBe(1);
      }
      expect(textOf(await talk.call('none'))).toBe('ran');
    }
  });

  const problems: [object, RegExp][] = [
    [{}, /^a is required \(expected number, received undefined\)$/],
    [{ a: '5' }, /^a: expected number, received string$/],
    [{ a: 5, z: 1 }, /^unknown argument "z"; this tool takes a, b$/],
    [{ a: 5, y: 1, z: 1 }, /^unknown argument "y", "z"; this tool takes a, b$/],
    [
      { a: 5, v: 1, ['w'.repeat(200)]: 1, x: 1, y: 1, z: 1 },
      /^unknown argument "v", "w{100}\.\.\.", "x" and 2 more; this tool takes a, b$/,
    ],
    [{ a: 5, b: { c: ['x', 'q'] } }, /^b\.c\.1: invalid option: expected one of "x"\|"y"$/],
    [{ a: 5, b: { c: [], 'd\ne': 1 } }, /^unknown argument "d\\ne"; in b$/],
    [{ a: 5, b: {} }, /^b\.c is required/],
    [{ a: 5, b: { c: [1, 2, 3, 4, 5] } }, /^b\.c\.0: .*; b\.c\.1: .*; b\.c\.2: .*; and 2 more$/],
  ];

  test.each(problems)('arguments %j are refused in one line with the path', async (args, line) => {
    const stage = doing(() => 'x');
    const answer = await (await open(stage)).call('add', args);
    const words = revision <= '2025-06-18' ? answer.error?.message : textOf(answer);
    expect(words).toMatch(line);
    expect(words).not.toContain('\n');
    if (revision <= '2025-06-18') expect(answer.error.code).toBe(-32602);
    else
      expect(answer.result).toMatchObject({
        isError: true,
        _meta: { failure: { code: 'invalid-arguments' } },
      });
    expect(stage.faults).toEqual([]);
  });

  test.each([
    [{ limit: 2 }, '{"most":2}'],
    [{ limit: 2, paths: ['a'] }, '{"paths":["a"],"most":2}'],
    [{ most: 1 }, '{"most":1}'],
    [{ limit: 10 }, 'most: too big: expected number to be <=9'],
    [{ other: 1 }, 'unknown argument "other"; this tool takes paths, most'],
  ])('invalid arguments %j are parsed once more as the tool corrects them', async (args, words) => {
    const answer = await (await open(doing(() => 'x'))).call('corrected', args);
    expect(answer.error?.message ?? textOf(answer)).toBe(words);
  });

  test('an argument of a tool without arguments is refused with that reason', async () => {
    const answer = await (await open(doing(() => 'x'))).call('none', { a: 1 });
    const words = revision <= '2025-06-18' ? answer.error?.message : textOf(answer);
    expect(words).toBe('unknown argument "a"; this tool takes none');
  });

  test('arguments may be missing, and anything but an object is refused', async () => {
    const talk = await open(doing(() => 'x'));
    expect(textOf(await talk.request('tools/call', { name: 'none' }))).toBe('ran');
    for (const args of [null, [], 'x', 5]) {
      expect((await talk.call('none', args as never)).error?.code).toBe(-32602);
      expect((await talk.request('prompts/get', { name: 'act', arguments: args })).error?.code).toBe(-32602);
    }
  });

  test('arguments of a prompt are strings, and required ones must be present', async () => {
    const talk = await open(doing(() => 'x'));
    const refused = async (args: object) =>
      (await talk.request('prompts/get', { name: 'act', arguments: args })).error;
    expect(await refused({})).toEqual({ code: -32602, message: 'argument a is required' });
    expect(await refused({ a: 5 })).toEqual({ code: -32602, message: 'argument a must be a string' });
    expect(await refused({ a: 'x', b: null })).toEqual({
      code: -32602,
      message: 'argument b must be a string',
    });
    expect(await refused({ a: '' })).toBe(undefined);
  });
});

test.each(allRevisions)('%s: a call that ends because it was cancelled is no fault', async (revision) => {
  let wait: { signal: AbortSignal; ended: Promise<void> } | undefined;
  const faults: unknown[] = [];
  const server = createServer({
    name: 'waiting',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    tools: [
      tool({
        name: 'wait',
        description: 'd',
        input: z.object({}),
        run: async (_args, { signal }) => {
          const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          wait = { signal, ended };
          await ended;
          throw signal.reason;
        },
      }),
    ],
  });
  const talk = await talkTo(server, revision);
  talk.wire.say(talk.line('w', 'tools/call', { name: 'wait', arguments: {} }));
  talk.wire.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
  await wait?.ended;
  expect(wait?.signal.aborted).toBe(true);
  await talk.request('tools/list');
  expect([talk.wire.heard.filter(({ id }) => id === 'w'), faults]).toEqual([[], []]);
});

test('a server that trusts its tools sends an output unchecked', async () => {
  const run = () => ({ sum: 'three' }) as unknown as { sum: number };
  const server = createServer({
    name: 'trusting',
    version: '1.0.0',
    validateOutput: false,
    tools: [
      tool({
        name: 'typed',
        description: 'd',
        input: z.object({}),
        output: z.object({ sum: z.number() }),
        run,
      }),
    ],
  });
  const { result } = await (await talkTo(server, '2025-11-25')).call('typed');
  expect(result.structuredContent).toEqual({ sum: 'three' });
});
