import { once } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { full } from '../../../../test/extent.ts';
import { connect, streams } from '../../src/client.ts';
import { createServer, reply, type Server, tool, Utf8Text } from '../../src/index.ts';
import type { JsonText } from '../../src/jsonrpc/message.ts';
import { ServerStream } from '../../src/stdio.ts';
import { serveMemory } from '../../src/testing.ts';
import { Outbox } from '../../src/transports/outbox.ts';
import { Conversation } from '../wire/conversation.ts';
import type { Message } from '../wire/message.ts';
import { begin } from './talk.ts';

interface Stage {
  server: Server;
  /** calls that ran */
  ran: number;
  touch(uri: string): void;
}

function stage(): Stage {
  const watched = new Map<string, () => void>();
  const own: Stage = {
    ran: 0,
    touch: (uri) => watched.get(uri)?.(),
    server: createServer({
      name: 'stream',
      version: '1.0.0',
      listChanges: { tools: true },
      resources: [],
      watch: async (uri, _context, changed) => {
        watched.set(uri, changed);
        return () => watched.delete(uri);
      },
      tools: [
        tool({
          name: 'big',
          description: 'd',
          input: z.object({ size: z.number(), letter: z.string().default('x') }),
          run: ({ size, letter }) => {
            own.ran += 1;
            return letter.repeat(size);
          },
        }),
        tool({
          name: 'bytes',
          description: 'd',
          input: z.object({ size: z.number(), letter: z.string().default('x') }),
          run: ({ size, letter }, { log }) => {
            log('info', 'now');
            return reply({ content: new Utf8Text(Buffer.from(letter.repeat(size))) });
          },
        }),
      ],
    }),
  };
  return own;
}

const ping = (id: string | number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tester', version: '1' } },
});
const call = (id: string | number, name: string, args: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

/** A stream that accepts everything at once, as a pipe does, and counts the writes. */
class Sink extends Writable {
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(Buffer.from(chunk));
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}

describe('replies', () => {
  test('small replies to one input chunk are one write, in order', () => {
    const [input, output] = [new PassThrough(), new Sink()];
    new ServerStream(stage().server, input, output);
    input.write(`${initialize}\n`);
    const before = output.chunks.length;
    input.write(Array.from({ length: 100 }, (_, id) => `${ping(id)}\n`).join(''));
    expect(output.chunks.length - before).toBe(1);
    const ids = String(output.chunks.at(-1))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, id) => id));
  });

  test('many replies to one chunk are few writes, with large ones complete and in order', () => {
    const [input, output] = [new PassThrough({ highWaterMark: 1024 * 1024 }), new Sink()];
    new ServerStream(stage().server, input, output);
    const lines = [initialize];
    for (let id = 0; id < 600; id++) {
      if (id % 100 === 50) lines.push(call(id, 'big', { size: 400_000, letter: 'ä' }));
      else if (id % 100 === 70) lines.push(call(id, 'bytes', { size: 100_000, letter: '"' }));
      else lines.push(call(id, 'big', { size: 100 }));
    }
    input.write(`${lines.join('\n')}\n`);
    const answers = output.text
      .trim()
      .split('\n')
      .map((line): Message => JSON.parse(line));
    const others = answers.filter(({ method, id }) => method === undefined && id !== 'init');
    expect(others.map(({ id }) => id)).toEqual(Array.from({ length: 600 }, (_, id) => id));
    expect(others[50].result.content[0].text === 'ä'.repeat(400_000)).toBe(true);
    expect(others[70].result.content[0].text === '"'.repeat(100_000)).toBe(true);
    expect(output.chunks.length).toBeLessThan(60);
  });
});

/** A stream that accepts nothing until it is opened. */
class Valve extends Writable {
  readonly #waiting: (() => void)[] = [];
  #open = false;
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const take = (): void => {
      this.text += chunk.toString('latin1');
      done();
    };
    if (this.#open) take();
    else this.#waiting.push(take);
  }

  open(): void {
    this.#open = true;
    for (const take of this.#waiting.splice(0)) take();
  }
}

test('queued requests do not start while earlier responses are not read', async () => {
  let begun = 0;
  const turns: (() => void)[] = [];
  const big = tool({
    name: 'big',
    description: 'd',
    input: z.object({}),
    run: async () => {
      begun += 1;
      await new Promise<void>((resolve) => turns.push(resolve));
      return 'x'.repeat(100_000);
    },
  });
  const [input, output] = [new PassThrough({ highWaterMark: 1024 * 1024 }), new Valve()];
  const { connection } = new ServerStream(
    createServer({ name: 's', version: '1', tools: [big] }),
    input,
    output,
  );
  const count = full ? 1000 : 400;
  input.write(`${initialize}\n`);
  input.write(Array.from({ length: count }, (_, id) => `${call(id, 'big', {})}\n`).join(''));
  await expect.poll(() => begun, { timeout: 120_000 }).toBe(256);
  while (turns.length > 0) {
    for (const go of turns.splice(0)) go();
    await new Promise(setImmediate);
  }
  // some start before the responses of others are too much
  expect(begun).toBeLessThan(256 + 50);
  expect(connection.busy).toBe(true);
  output.open();
  while (begun < count || turns.length > 0) {
    for (const go of turns.splice(0)) go();
    await new Promise(setImmediate);
  }
  await expect.poll(() => output.text.split('\n').length - 2, { timeout: 120_000 }).toBe(count);
  expect(connection.busy).toBe(false);
});

describe('the outbox', () => {
  const around = [0, 1, 5000, 16_383, 16_384, 16_385, 87_381, 87_382, 262_143, 262_144, 262_145, 300_000];
  const size = fc.oneof(fc.constantFrom(...around), fc.nat({ max: 100 }));
  const letter = fc.constantFrom('a', 'b', 'ä', '€', '💥');
  const text = fc.tuple(letter, size).map(([unit, count]) => unit.repeat(count / unit.length));
  const piece = fc.oneof(
    text,
    text.map((words) => Buffer.from(words)),
  );
  const message: fc.Arbitrary<JsonText> = fc.oneof(text, fc.array(piece, { maxLength: 4 }));
  // messages that are added separately or together
  const groups = fc.array(
    fc.record({ together: fc.boolean(), messages: fc.array(message, { maxLength: 5 }) }),
    {
      maxLength: 5,
    },
  );

  const wanted = (all: { messages: JsonText[] }[]): Buffer =>
    Buffer.concat(
      all.flatMap(({ messages }) =>
        messages.flatMap((one) =>
          [...(typeof one === 'string' ? [one] : one), '\n'].map((part) => Buffer.from(part as string)),
        ),
      ),
    );

  const put = (outbox: Outbox, all: { together: boolean; messages: JsonText[] }[]): void => {
    for (const { together, messages } of all) {
      const add = (): void => {
        for (const one of messages) outbox.add(one);
      };
      if (together) outbox.together(add);
      else add();
    }
  };

  const outcome = async (
    output: Writable,
    copies: boolean,
    read: () => Buffer,
    all: { together: boolean; messages: JsonText[] }[],
  ) => {
    put(new Outbox(output, copies), all);
    output.end();
    await once(output, 'finish');
    return read().equals(wanted(all));
  };

  test('a stream that accepts everything at once gets every byte in order', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (all) => {
        const output = new Sink();
        expect(await outcome(output, true, () => Buffer.concat(output.chunks), all)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('a slow stream gets every byte in order', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (all) => {
        const chunks: Buffer[] = [];
        const output = new Writable({
          highWaterMark: 1,
          write: (chunk: Buffer, _encoding, done) => {
            setImmediate(() => {
              chunks.push(Buffer.from(chunk));
              done();
            });
          },
        });
        expect(await outcome(output, true, () => Buffer.concat(chunks), all)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('a stream that keeps written buffers, as one in memory does, gets every byte in order', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (all) => {
        const chunks: Buffer[] = [];
        const output = new Writable({
          write: (chunk: Buffer, _encoding, done) => {
            chunks.push(chunk);
            done();
          },
        });
        expect(await outcome(output, false, () => Buffer.concat(chunks), all)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('a closed output accepts nothing more', () => {
    const output = new Sink();
    const outbox = new Outbox(output, true);
    output.destroy();
    outbox.add('a');
    outbox.together(() => outbox.add(['a', Buffer.from('b')]));
    expect(output.chunks).toEqual([]);
  });

  test('an exception keeps the earlier messages written', () => {
    const output = new Sink();
    const outbox = new Outbox(output, true);
    const work = (): void => {
      outbox.add('a');
      throw new Error('no');
    };
    expect(() => outbox.together(work)).toThrow('no');
    outbox.add('b');
    expect(output.text).toBe('a\nb\n');
  });
});

describe('memory', () => {
  test('texts of every size arrive complete at our client, sequentially and concurrently', async () => {
    const client = await connect(
      streams(() => serveMemory(stage().server)),
      { name: 'tester', version: '1.0.0', timeout: 120_000, onError: () => {} },
    );
    const sizes = [10, 16_000, 16_384, 20_000, 70_000, 300_000, 16_384, 5];
    const text = async (name: string, size: number, letter: string): Promise<string> => {
      const { content } = await client.callTool(name, { size, letter });
      return (content[0] as { text: string }).text;
    };
    for (const name of ['bytes', 'big']) {
      for (const size of sizes) expect((await text(name, size, 'ä')) === 'ä'.repeat(size)).toBe(true);
      const all = await Promise.all(sizes.map((size, index) => text(name, size, String(index))));
      expect(all.map((each, index) => each === String(index).repeat(sizes[index]!))).toEqual(
        sizes.map(() => true),
      );
    }
    await client.close();
  });

  test('a client that reads late gets every response complete', async () => {
    const end = serveMemory(stage().server);
    const wire = new Conversation(end, '2025-11-25', false);
    for (let id = 0; id < 20; id++) wire.say(ping(`late ${id}`));
    wire.listen();
    const ids = [];
    while (ids.length < 20) ids.push((await wire.next()).id);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, id) => `late ${id}`));
  });

  test('a client that sends while it receives breaks no message', async () => {
    const end = serveMemory(stage().server);
    const wire = new Conversation(end, '2025-11-25');
    await wire.ask(initialize);
    let asked = 0;
    end.input.on('data', (text: string) => {
      // the log message arrives in one piece with the head of the large response
      if (text.includes('notifications/message') && asked < 3) wire.say(ping(`nested ${asked++}`));
    });
    for (let id = 0; id < 3; id++) {
      wire.say(call(id, 'bytes', { size: 50_000 }));
      const answer = await wire.answer(id);
      expect(answer.result.content[0].text.length).toBe(50_000);
    }
    await wire.finish();
    expect(wire.heard.filter(({ id }) => String(id).startsWith('nested')).length).toBe(asked);
    expect(asked).toBe(3);
  });
});

describe('a reader that stops', () => {
  test('limits the messages that are read, and gets every response in order once it reads', async () => {
    const own = stage();
    const many = 400;
    let pulled = 0;
    const input = new Readable({
      highWaterMark: 1,
      read() {
        if (pulled === many) this.push(null);
        else if (pulled === 0) this.push(`${initialize}\n${call(pulled++, 'big', { size: 20_000 })}\n`);
        else this.push(`${call(pulled++, 'big', { size: 20_000 })}\n`);
      },
    });
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    const paused = once(input, 'pause');
    new ServerStream(own.server, input, output);
    await paused;
    // 1 MiB and the buffers of the streams hold some 60 responses
    expect(own.ran).toBeLessThan(70);
    expect(pulled).toBeLessThan(80);
    const wire = new Conversation({ input: output, output: new PassThrough() }, '2025-11-25');
    const ids = [];
    while (ids.length <= many) ids.push((await wire.next()).id);
    expect(ids).toEqual(['init', ...Array.from({ length: many }, (_, id) => id)]);
  });

  test('gets every response even if it had ended its own side before it read', async () => {
    const own = stage();
    const end = serveMemory(own.server);
    const wire = new Conversation(end, '2025-11-25', false);
    wire.say(initialize);
    const calls = Array.from({ length: 30 }, (_, id) => `${call(id, 'big', { size: 300_000 })}\n`);
    for (const line of calls.slice(0, 10)) wire.write(line);
    wire.write(calls.slice(10).join(''));
    end.output.end();
    expect(own.ran).toBeLessThan(10);
    wire.listen();
    await wire.over();
    expect(wire.heard.map(({ id }) => id)).toEqual(['init', ...calls.map((_line, id) => id)]);
  });

  test.each(['2025-11-25', '2026-07-28'] as const)(
    '%s: gets each change once when it reads again',
    async (revision) => {
      const own = stage();
      const end = serveMemory(own.server);
      const talk = begin(own.server, revision, { end });
      if (talk.stateless) {
        const notifications = { resourceSubscriptions: ['memo://a', 'memo://b'], toolsListChanged: true };
        talk.wire.say(talk.line('l', 'subscriptions/listen', { notifications }));
        await talk.wire.next();
      } else {
        await talk.wire.ask(initialize);
        for (const uri of ['memo://a', 'memo://b']) await talk.request('resources/subscribe', { uri });
      }
      own.touch('memo://a');
      own.touch('memo://a');
      for (let i = 0; i < 2; i++) expect((await talk.wire.next()).params.uri).toBe('memo://a');
      end.input.pause();
      for (let id = 0; id < 4; id++)
        talk.wire.say(talk.line(`c${id}`, 'tools/call', { name: 'big', arguments: { size: 500_000 } }));
      const ran = own.ran;
      for (let i = 0; i < 500; i++) {
        own.touch('memo://a');
        own.touch('memo://b');
        own.server.listChanged('tools');
      }
      end.input.resume();
      await talk.request(talk.stateless ? 'server/discover' : 'ping');
      const notifications = talk.wire.heard
        .slice(talk.stateless ? 3 : 5)
        .filter(({ method }) => method !== undefined);
      expect(notifications.map(({ method, params }) => params.uri ?? method)).toEqual([
        'memo://a',
        'memo://b',
        'notifications/tools/list_changed',
      ]);
      expect(ran).toBeGreaterThanOrEqual(3);
    },
  );
});
