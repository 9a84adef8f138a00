import { expect, test } from 'vitest';
import { handshakeRevisions } from '../../src/protocol/revisions.ts';
import { everywhere } from './matrix.ts';

everywhere((world) => {
  const { call, line, open } = world;

  test('a line that is not JSON is a parse error, and the next line gets its response', async () => {
    const talk = await open();
    expect((await talk.ask('{"jsonrpc":"2.0","id":1,')).error).toMatchObject({ code: -32700 });
    expect((await talk.ask('nonsense')).error).toMatchObject({ code: -32700 });
    expect((await talk.ask(call(1, 'add', { a: 1, b: 2 }))).result.content[0].text).toBe('{"sum":3}');
  });

  test('a parse error does not repeat the input', async () => {
    const talk = await open();
    await talk.ask('{"secret": "token"');
    expect(talk.lines.at(-1)).not.toContain('token');
  });

  test('CRLF ends a line, blank lines are ignored', async () => {
    const talk = await open();
    talk.write('\n\r\n   \n\t\r\n');
    talk.write(`${call(1, 'echo', { text: 'a' })}\r\n${call(2, 'echo', { text: 'b' })}\r\n`);
    expect([(await talk.next()).id, (await talk.next()).id]).toEqual([1, 2]);
  });

  test('a byte order mark before the first message is removed', async () => {
    const talk = world.raw();
    const first = world.stateless ? line(1, 'tools/list') : '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    talk.write('\uFEFF');
    talk.say(first);
    expect(await talk.next()).toMatchObject({ id: 1, result: {} });
  });

  test('a message split at every byte is one message', async () => {
    const talk = await open();
    const bytes = Buffer.from(`${call('ü', 'echo', { text: 'a😀é\u2028z' })}\n`);
    for (const byte of bytes) talk.write(Buffer.of(byte));
    const answer = await talk.next();
    expect([answer.id, answer.result.content[0].text]).toEqual(['ü', 'a😀é\u2028z']);
  });

  test('several messages in one chunk and a piece of the next all get responses, in order', async () => {
    const talk = await open();
    const texts = Array.from({ length: 50 }, (_, id) => call(id, 'echo', { text: `n${id}` }));
    const all = Buffer.from(`${texts.join('\n')}\n`);
    const cut = all.length - 20;
    talk.write(all.subarray(0, cut));
    talk.write(all.subarray(cut));
    const ids = [];
    for (const _ of texts) ids.push((await talk.next()).id);
    expect(ids).toEqual(texts.map((_, id) => id));
  });

  test('bytes that are not UTF-8 are a parse error for that line only', async () => {
    const talk = await open();
    const good = call(1, 'echo', { text: 'good' });
    talk.write(
      Buffer.concat([Buffer.from('{"text":"'), Buffer.of(0xc3, 0x28, 0xff), Buffer.from(`"}\n${good}\n`)]),
    );
    expect((await talk.next()).error.code).toBe(-32700);
    expect((await talk.next()).id).toBe(1);
  });

  test('a replacement character that was really sent is text like any other', async () => {
    const talk = await open();
    expect((await talk.ask(call(1, 'echo', { text: '\uFFFD' }))).result.content[0].text).toBe('\uFFFD');
  });

  test('lone surrogates are returned as they were escaped', async () => {
    const talk = await open();
    const escaped = call(1, 'echo', { text: 'TEXT' }).replace('TEXT', '\\ud800x\\udc00');
    talk.say(escaped);
    const answer = await talk.next();
    expect(answer.result.content[0].text).toBe('\ud800x\udc00');
    expect(talk.lines.at(-1)).toContain('\\ud800x\\udc00');
  });

  test('a __proto__ member changes nothing but its own object', async () => {
    const talk = await open();
    const poisoned = call(1, 'add', { a: 1, b: 2 }).replace(
      '"a":1',
      '"__proto__":{"polluted":1,"a":9},"a":1',
    );
    talk.say(poisoned);
    const answer = await talk.next();
    expect(answer.id).toBe(1);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const method = line(2, 'M').replace('"M"', '"__proto__"');
    expect((await talk.ask(method)).error.code).toBe(-32601);
    expect((await talk.ask(line(3, 'constructor'))).error.code).toBe(-32601);
    expect((await talk.ask(call(4, '__proto__'))).error.code).toBe(-32602);
  });

  test('a line over the limit is refused once and the connection continues', async () => {
    const talk = await open({ messageLimit: 100_000 });
    talk.write('{"jsonrpc":"2.0","id":1,"method":"');
    for (let i = 0; i < 30; i++) talk.write('x'.repeat(10_000));
    talk.say('"}');
    expect((await talk.next()).error).toMatchObject({ code: -32600 });
    expect((await talk.ask(call(2, 'echo', { text: 'alive' }))).id).toBe(2);
    expect(talk.heard.filter((message) => message.error !== undefined)).toHaveLength(1);
  });

  test('a line of exactly the limit is served and one byte more is not', async () => {
    const limit = 70_000;
    const talk = await open({ messageLimit: limit });
    const frame = Buffer.byteLength(call(1, 'length', { text: '' }));
    expect((await talk.ask(call(1, 'length', { text: 'x'.repeat(limit - frame) }))).result).toBeDefined();
    expect((await talk.ask(call(2, 'length', { text: 'x'.repeat(limit - frame + 1) }))).error.code).toBe(
      -32600,
    );
  });

  test('the last line needs no line end', async () => {
    const talk = await open();
    talk.write(call(1, 'echo', { text: 'last' }));
    const heard = await talk.finish();
    expect(heard.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'last' }] } });
  });
});

everywhere(
  ({ open, call }) => {
    test('a message of 64 MiB is served', async () => {
      const talk = await open();
      const frame = Buffer.byteLength(call(1, 'length', { text: '' }));
      const length = 64 * 1024 * 1024 - frame;
      talk.write(call(1, 'length', { text: '@' }).split('@')[0]!);
      talk.note(call(1, 'length', { text: '' }));
      talk.write(Buffer.alloc(length, 'x'));
      talk.write(`${call(1, 'length', { text: '@' }).split('@')[1]}\n`);
      expect((await talk.next()).result.content[0].text).toBe(`{"length":${length}}`);
    });
  },
  { revisions: ['2025-11-25'] },
);

everywhere(
  ({ open, call, revision }) => {
    const batches = revision === '2025-03-26';

    test('a batch is answered as one array, only in 2025-03-26', async () => {
      const talk = await open();
      const batch = `[${call(1, 'add', { a: 1, b: 1 })},{"jsonrpc":"2.0","method":"notifications/nothing"},${call(2, 'later', { text: 'x' })}]`;
      const answer = await talk.ask(batch);
      if (!batches) {
        expect(answer.error.code).toBe(-32600);
        return;
      }
      expect(answer.map((part: { id: number }) => part.id).toSorted()).toEqual([1, 2]);
    });

    test('an empty batch is an invalid request', async () => {
      const talk = await open();
      expect((await talk.ask('[]')).error.code).toBe(-32600);
    });
  },
  { revisions: handshakeRevisions },
);

everywhere(
  ({ open, call }) => {
    test('a batch of notifications has no response', async () => {
      const talk = await open();
      const one = '{"jsonrpc":"2.0","method":"notifications/nothing"}';
      talk.say(`[${one},${one}]`);
      expect((await talk.ask(call(1, 'echo', { text: 'fence' }))).id).toBe(1);
    });

    test('a malformed message in a batch has its own error there', async () => {
      const talk = await open();
      const answer = await talk.ask(`[1,${call(1, 'echo', { text: 'x' })},[],{"jsonrpc":"2.0","id":2}]`);
      const outcomes = answer.map((part: { id: unknown; error?: { code: number } }) => [
        part.id,
        part.error?.code,
      ]);
      expect(outcomes).toHaveLength(4);
      expect(outcomes).toEqual(
        expect.arrayContaining([
          [null, -32600],
          [1, undefined],
          [2, -32600],
        ]),
      );
      expect(outcomes.filter(([id]: unknown[]) => id === null)).toHaveLength(2);
    });

    test('a batch keeps the other responses when a slow request of it is cancelled', async () => {
      const talk = await open();
      talk.say(`[${call(1, 'hold')},${call(2, 'echo', { text: 'kept' })}]`);
      talk.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
      talk.say(call(3, 'later', { text: 'fence' }));
      await talk.until((message) => message.id === 3);
      expect(talk.heard.flat().map((part) => part.id)).toContain(2);
    });

    test('of two equal ids in a batch the second is refused while the first runs', async () => {
      const talk = await open();
      talk.say(`[${call(1, 'hold', { text: 'first' })},${call(1, 'echo', { text: 'second' })}]`);
      talk.say(call(2, 'release'));
      const answer = await talk.until((message) => Array.isArray(message));
      expect(answer.map((part: { error?: { code: number } }) => part.error?.code)).toEqual([
        -32600,
        undefined,
      ]);
    });
  },
  { revisions: ['2025-03-26'] },
);
