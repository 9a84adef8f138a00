import * as fc from 'fast-check';
import { full } from '../../../../test/extent.ts';
import type { Message } from '../wire/message.ts';

/** One input of a hostile client, and the responses that it must get. */
export interface Hostile {
  /** undefined if it is not text */
  text: string | undefined;
  bytes: Buffer;
  /** the id as JSON of every response that is due; `unknown` if none can be read */
  due: readonly string[];
}

/**
 * Returns inputs from well-formed to garbage in a session of 2025-03-26, which has batches; the same for the
 * same seed.
 */
export function hostileMessages(count: number, seed: number): Hostile[] {
  let next = 0;
  return fc.sample(anything, { seed, numRuns: count }).map((make) => {
    const { due, ...attack } = make(() => ++next);
    const bytes = 'bytes' in attack ? attack.bytes : Buffer.from(attack.text);
    return { text: 'text' in attack ? attack.text : undefined, bytes, due };
  });
}

/** The due responses, by id; every response settles one. */
export class Dues {
  readonly #open = new Map<string, number>();
  #total = 0;
  #watcher: { most: number; resolve: () => void } | undefined;

  constructor(messages: readonly Hostile[]) {
    for (const id of messages.flatMap(({ due }) => due)) this.#add(id, 1);
  }

  get total(): number {
    return this.#total;
  }

  /** Handles a message of the server. */
  hear(message: Message): void {
    for (const part of [message].flat()) {
      if (part.method !== undefined) continue;
      this.#add(part.id === undefined || part.id === null ? 'unknown' : JSON.stringify(part.id), -1);
    }
    if (this.#watcher !== undefined && this.#total <= this.#watcher.most) this.#watcher.resolve();
  }

  /** Resolves when at most that many responses are due. */
  until(most: number): Promise<void> {
    return new Promise((resolve) => {
      this.#watcher = { most, resolve };
      if (this.#total <= most) resolve();
    });
  }

  /** Returns ids with a wrong number of responses: positive if some are missing, negative if there are too many. */
  wrong(): [string, number][] {
    return [...this.#open].filter(([, open]) => open !== 0);
  }

  #add(id: string, count: number): void {
    this.#open.set(id, (this.#open.get(id) ?? 0) + count);
    this.#total += count;
  }
}

type Attack = ({ text: string } | { bytes: Buffer }) & { due: readonly string[] };
/** Makes a message with unique ids. */
type Make = (fresh: () => number) => Attack;

/** Texts of valid ids, each used once. */
const idTexts: readonly ((n: number) => string)[] = [
  (n) => String(n),
  (n) => String(-n),
  (n) => `${n}.0`,
  (n) => String(Number.MAX_SAFE_INTEGER - n),
  (n) => JSON.stringify(`id ${n}`),
  (n) => `"\\ud800 ${n}"`,
  (n) => JSON.stringify(`\u0000"\\\u2028 é 漢 😀 ${n}`),
  (n) => JSON.stringify(`__proto__${n}`),
];
const idText = fc.constantFrom(...idTexts);

/** Invalid ids. */
const badId = fc.constantFrom(
  'null',
  '1.5',
  '{}',
  '[1]',
  'true',
  '1e999',
  '9007199254740993',
  '-1e400',
  '1e-3',
);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '\ud800',
    '\udfff\ud800',
    '\u0000',
    '😀'.repeat(50),
    '',
  ),
);
const awkward = fc.constantFrom(
  '1e999',
  '-0',
  '1e-999',
  '123456789012345678901234567890',
  '"\\ud83d"',
  '[]',
  '{}',
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((each) => JSON.stringify(each)) },
  { weight: 2, arbitrary: awkward },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  },
  {
    weight: 1,
    arbitrary: fc.constant('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  },
);

const tools = [
  'add',
  'echo',
  'length',
  'later',
  'steps',
  'say',
  'fail',
  'crash',
  'everything',
  'deploy',
  'nothing',
];
const methods = [
  'ping',
  'initialize',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
  'completion/complete',
  'server/discover',
  'subscriptions/listen',
  'tasks/get',
  'no/such',
  '__proto__',
  'toString',
  '',
];

const args = fc.oneof(
  fc.constant('{"a":1,"b":2}'),
  text.map((each) => JSON.stringify({ text: each })),
  fc.constant('{"values":[1,2,3]}'),
  value,
);
const call = fc.record({ name: fc.oneof(fc.constantFrom(...tools), text), args }).map((each) => ({
  method: 'tools/call',
  params: `{"name":${JSON.stringify(each.name)},"arguments":${each.args}}`,
}));
const member = fc.constantFrom('uri', 'name', 'cursor', 'level', 'ref', 'argument', '_meta', '__proto__');
const other = fc
  .record({ method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methods) }, text), member, value })
  .map((each) => ({ method: each.method, params: `{${JSON.stringify(each.member)}:${each.value}}` }));
const asked = fc.oneof(call, other);

const request: fc.Arbitrary<Make> = fc.record({ id: idText, asked, twice: fc.boolean() }).map(
  ({ id, asked: { method, params }, twice }): Make =>
    (fresh) => {
      const written = id(fresh());
      // of two members with one name the last counts
      const first = twice ? '"id":"other","method":"no",' : '';
      return {
        text: `{"jsonrpc":"2.0",${first}"id":${written},"method":${JSON.stringify(method)},"params":${params}}`,
        due: [JSON.stringify(JSON.parse(written))],
      };
    },
);

const quiet: fc.Arbitrary<Make> = fc
  .record({
    method: fc.oneof(fc.constantFrom('notifications/initialized', 'notifications/progress', 'ping'), text),
    value,
    answers: fc.constantFrom('', '"result":{}', '"error":{"code":1,"message":""}'),
  })
  .map(({ method, value: member, answers }): Make => {
    if (answers !== '')
      return (fresh) => ({ text: `{"jsonrpc":"2.0","id":"x${fresh()}",${answers}}`, due: [] });
    const params = `{"requestId":"nobody","progressToken":${member},"progress":${member}}`;
    return () => ({
      text: `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${params}}`,
      due: [],
    });
  });

const cancelled: fc.Arbitrary<Make> = fc.constantFrom('"nobody"', '0', 'null', '{}', '"__proto__"').map(
  (id): Make =>
    () => ({
      text: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`,
      due: [],
    }),
);

const malformedWithId: fc.Arbitrary<Make> = fc
  .record({
    id: idText,
    rest: fc.constantFrom(
      '"method":"ping"',
      '"jsonrpc":"1.0","method":"ping"',
      '"jsonrpc":2.0,"method":"ping"',
      '"jsonrpc":"2.0","method":7',
      '"jsonrpc":"2.0","method":"ping","params":[]',
      '"jsonrpc":"2.0","method":"ping","params":"x"',
      '"jsonrpc":"2.0","result":{},"error":{"code":1,"message":""}',
      '"jsonrpc":"2.0","result":5',
      '"jsonrpc":"2.0"',
    ),
  })
  .map(
    ({ id, rest }): Make =>
      (fresh) => {
        const written = id(fresh());
        return { text: `{"id":${written},${rest}}`, due: [JSON.stringify(JSON.parse(written))] };
      },
  );

const malformed: fc.Arbitrary<Make> = fc
  .oneof(
    badId.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`),
    fc.constantFrom(
      '7',
      '"text"',
      'null',
      'true',
      '{}',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","method":{}}',
    ),
    fc.constantFrom(
      '[]',
      '[1',
      '{"a"',
      '{"a":}',
      "{'a':1}",
      '\u0000',
      '{"jsonrpc":"2.0",}',
      '{"a":01}',
      'undefined',
    ),
    fc.integer({ min: 1, max: 5000 }).map((depth) => '['.repeat(depth)),
    fc.integer({ min: 1, max: 5000 }).map((depth) => '{"a":'.repeat(depth)),
  )
  .map(
    (each): Make =>
      () => ({ text: each, due: ['unknown'] }),
  );

const cutShort: fc.Arbitrary<Make> = fc
  .record({ request, at: fc.double({ min: 0.01, max: 0.99, noNaN: true }) })
  .map(
    ({ request: make, at }): Make =>
      (fresh) => {
        const { text: whole } = make(fresh) as { text: string }; // requests are text
        return { text: whole.slice(0, Math.max(1, Math.floor(whole.length * at))), due: ['unknown'] };
      },
  );

const garbage: fc.Arbitrary<Make> = fc.uint8Array({ minLength: 1, maxLength: 200 }).map(
  (bytes): Make =>
    () => {
      // a byte that ends a line would split it, and no JSON begins with the first
      const line = Buffer.from(bytes.map((byte) => (byte === 10 || byte === 13 ? 255 : byte)));
      return { bytes: Buffer.concat([Buffer.from('!\xff', 'latin1'), line]), due: ['unknown'] };
    },
);

const single = fc.oneof(
  { weight: 10, arbitrary: request },
  { weight: 2, arbitrary: quiet },
  { weight: 1, arbitrary: cancelled },
  { weight: 2, arbitrary: malformedWithId },
);

const batch: fc.Arbitrary<Make> = fc.array(single, { minLength: 1, maxLength: 5 }).map(
  (parts): Make =>
    (fresh) => {
      const made = parts.map((make) => make(fresh) as { text: string; due: readonly string[] }); // all are text
      return { text: `[${made.map((part) => part.text).join(',')}]`, due: made.flatMap((part) => part.due) };
    },
);

const anything = fc.oneof(
  { weight: 16, arbitrary: single },
  { weight: 3, arbitrary: malformed },
  { weight: 2, arbitrary: batch },
  { weight: 2, arbitrary: cutShort },
  { weight: 2, arbitrary: garbage },
);

/** Splits bytes into pieces of random sizes; the same for the same seed. */
export function* cuts(bytes: Buffer, seed: number): Generator<Buffer> {
  let state = seed >>> 0;
  for (let at = 0; at < bytes.length; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // mostly large ones, sometimes single bytes
    const size = (state >>> 28 === 0 ? 1 : 1 + (state >>> 8)) % 20_000;
    yield bytes.subarray(at, at + size + 1);
    at += size + 1;
  }
}

export const seed = Number(process.env.ROOTBOUND_SEED ?? 20_260_728);
/** The number of rounds of 20,000 messages; fifty rounds are a million. */
export const rounds = Number(process.env.ROOTBOUND_ROUNDS ?? (full ? 6 : 1));
export const PER_ROUND = rounds === 1 ? 1_000 : 20_000;
/** The timeout for a busy machine, in milliseconds. */
export const PATIENCE_MS = rounds * 120_000;
