import { expect, test } from 'vitest';
import { revisions } from '../../src/protocol/revisions.ts';
import { everywhere } from './matrix.ts';

everywhere(
  ({ call, line, open, raw, revision, stateless }) => {
    test.each([
      ['no jsonrpc', '{"id":7,"method":"tools/list"}', 7],
      ['another jsonrpc', '{"jsonrpc":"1.0","id":7,"method":"tools/list"}', 7],
      ['a method that is no string', '{"jsonrpc":"2.0","id":7,"method":3}', 7],
      ['params that are a list', '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[1]}', 7],
      ['params that are null', '{"jsonrpc":"2.0","id":"s","method":"tools/list","params":null}', 's'],
      ['nothing but an id', '{"jsonrpc":"2.0","id":7}', 7],
      ['a result and an error', '{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"x"}}', 7],
    ])('an envelope with %s is an invalid request with its id', async (_what, bad, id) => {
      const talk = await open();
      const answer = await talk.ask(bad);
      expect([answer.id, answer.error.code]).toEqual([id, -32600]);
    });

    test.each([
      ['a null id', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}'],
      ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}'],
      ['an id beyond the safe integers', '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}'],
      ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
      ['a number alone', '5'],
      ['null alone', 'null'],
      ['a string alone', '"hello"'],
    ])('%s is an invalid request whose id cannot be read', async (_what, bad) => {
      const talk = await open();
      // a stateless talk has no revision before its first request
      if (stateless) await talk.ask(call(0, 'echo', { text: 'first' }));
      const answer = await talk.ask(bad);
      expect(answer.error.code).toBe(-32600);
      if (revisions[revision].omitsUnknownId) expect('id' in answer).toBe(false);
      else expect(answer.id).toBeNull();
    });

    test('before a revision is known an unreadable id is null in the response, as in JSON-RPC', async () => {
      const talk = raw();
      expect(await talk.ask('{')).toMatchObject({ id: null, error: { code: -32700 } });
    });

    test.each([0, -1, 9007199254740991, '', '0', 'ключ', '__proto__'])(
      'the id %j is returned unchanged',
      async (id) => {
        const talk = await open();
        expect((await talk.ask(call(id, 'echo', { text: 'x' }))).id).toBe(id);
      },
    );

    test('an unknown method is not found', async () => {
      const talk = await open();
      expect((await talk.ask(line(1, 'tools/invent'))).error.code).toBe(-32601);
      expect((await talk.ask(line(2, ''))).error.code).toBe(-32601);
    });

    test('unknown notifications and responses to no request are ignored', async () => {
      const talk = await open();
      talk.say('{"jsonrpc":"2.0","method":"notifications/invented","params":{"a":1}}');
      talk.say('{"jsonrpc":"2.0","method":"tools/list"}');
      talk.say('{"jsonrpc":"2.0","id":99,"result":{}}');
      talk.say('{"jsonrpc":"2.0","id":98,"error":{"code":-1,"message":"no"}}');
      talk.say('{"jsonrpc":"2.0","error":{"code":-1,"message":"no"}}');
      expect((await talk.ask(call(1, 'echo', { text: 'fence' }))).id).toBe(1);
    });

    test('a second request with an id in progress is refused, and the first still gets its response', async () => {
      const talk = await open();
      talk.say(call(1, 'hold', { text: 'first' }));
      const refusal = await talk.ask(call(1, 'echo', { text: 'second' }));
      expect([refusal.id, refusal.error.code]).toEqual([1, -32600]);
      talk.say(call(2, 'release'));
      const answer = await talk.until((message) => message.id === 1);
      expect(answer.result.content[0].text).toBe('first');
    });

    test('an id may be reused after its response', async () => {
      const talk = await open();
      await talk.ask(call(1, 'later', { text: 'a' }));
      expect((await talk.ask(call(1, 'later', { text: 'b' }))).result.content[0].text).toBe('b');
    });

    test('a quick request gets its response while a slow one runs', async () => {
      const talk = await open();
      talk.say(call('slow', 'hold'));
      expect((await talk.ask(call('quick', 'echo', { text: 'x' }))).id).toBe('quick');
      talk.say(call('go', 'release'));
      expect((await talk.answer('slow')).result.content[0].text).toBe('');
    });

    test('invalid params are reported in one line', async () => {
      const talk = await open();
      for (const bad of [
        line(1, 'tools/call', {}),
        line(1, 'tools/call', { name: 5 }),
        line(1, 'tools/call', { name: 'add', arguments: [] }),
        line(1, 'tools/call', { name: 'unknown' }),
        line(1, 'tools/list', { cursor: 'invented' }),
        line(1, 'tools/list', { cursor: 5 }),
        line(1, 'prompts/get', { name: 'greet' }),
        line(1, 'prompts/get', { name: 'greet', arguments: { who: 1 } }),
        line(1, 'resources/read', {}),
        line(1, 'completion/complete', { ref: { type: 'ref/other' }, argument: { name: 'a', value: '' } }),
      ]) {
        const { error } = await talk.ask(bad);
        expect(error.code).toBe(-32602);
        expect(error.message).not.toMatch(/\n|ZodError|\{"code"/);
      }
    });

    test('a missing resource has the code of its revision', async () => {
      const talk = await open();
      const missing = [
        line(1, 'resources/read', { uri: 'memo://none' }),
        line(2, 'resources/read', { uri: 'memo://days/none' }),
      ];
      for (const read of missing) expect((await talk.ask(read)).error.code).toBe(stateless ? -32602 : -32002);
    });

    test('a failed tool is a result, and a bug reveals nothing', async () => {
      const talk = await open();
      expect((await talk.ask(call(1, 'fail'))).result).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'it does not work\ndo not try again' }],
      });
      const bug = await talk.ask(call(2, 'crash'));
      expect(bug.result.isError).toBe(true);
      expect(JSON.stringify(bug)).not.toContain('secret');
    });

    test('every list, read, prompt and completion has the form of the revision', async () => {
      const talk = await open();
      const results = [];
      for (const [index, [method, params]] of (
        [
          ['tools/list', {}],
          ['resources/list', {}],
          ['resources/templates/list', {}],
          ['resources/read', { uri: 'memo://today' }],
          ['resources/read', { uri: 'memo://bytes' }],
          ['resources/read', { uri: 'memo://days/monday' }],
          ['prompts/list', {}],
          ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }],
          [
            'completion/complete',
            { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'A' } },
          ],
          [
            'completion/complete',
            {
              ref: { type: 'ref/resource', uri: 'memo://days/{day}' },
              argument: { name: 'day', value: 'm' },
            },
          ],
          ['tools/call', { name: 'everything' }],
          ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
        ] as const
      ).entries()) {
        const answer = await talk.ask(line(index, method, params));
        expect(answer.error).toBeUndefined();
        results.push(answer.result);
      }
      expect(results.every((result) => (result.resultType === 'complete') === stateless)).toBe(true);
      expect(results.at(-1).structuredContent).toEqual(
        revisions[revision].structured ? { sum: 3 } : undefined,
      );
    });
  },
  { processes: ['2025-03-26', '2026-07-28'] },
);
