import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { Audit } from './audit.ts';
import type { Armed, Ending, Fault } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import {
  answerFault,
  connectTo,
  proxied,
  proxyFor,
  requestFault,
  transportOf,
  type Way,
  wayNamed,
  ways,
} from './ways.ts';

/** Stride of a full run in bytes; the next run begins at another byte. */
const STEP = 3;
const FIRST = full ? Number(process.env.ROOTBOUND_SEED ?? Date.now()) % STEP : 0;
const endings: readonly Ending[] = ['reset', 'end', 'half'];

/** Distance between two cuts in bytes, unless every byte is tested. */
const strides = { answers: 7, requests: 23, steps: 31, processes: 40 } as const;

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.start();
});
afterAll(() => site.close());

/** Maximum number of bytes after a complete answer, such as the end of a stream. */
const TRAILER = 20;

/** Above the length of any answer, in bytes. */
const LONGEST_ANSWER = 1000;

interface Cuts {
  audit: Audit;
  /** each call whose connection was cut, with the fault */
  struck: Struck[];
}

interface Struck {
  id: string;
  armed: Armed;
  /** the series of the cut, in which each is one stride after the previous one */
  series: Series;
}

interface Series {
  /** number of bytes before the last cut */
  last: number;
}

/** Makes calls that are cut at every byte, or one stride later each time, by alternating kinds of cut. */
async function cut(
  way: Way,
  direction: Fault['way'],
  stride: keyof typeof strides,
  args: Record<string, unknown> = {},
  where: (way: Way, id: string) => Partial<Fault> = direction === 'down' ? answerFault : requestFault,
): Promise<Cuts> {
  const { proxy, at } = await proxyFor(way, site);
  onTestFinished(() => proxy.close());
  const client = await connectTo(transportOf(way, site, at), way);
  onTestFinished(() => client.close());
  const made: Cuts = { audit: new Audit(), struck: [] };
  const cutAt = async (after: number, ending: Ending, series: Series): Promise<boolean> => {
    await whole(client);
    const id = made.audit.begin();
    const armed = proxy.arm({ way: direction, after, ending, ...where(way, id) });
    await made.audit.follow(id, client, args);
    proxy.disarm();
    if (!armed.struck) return false;
    series.last = after;
    made.struck.push({ id, armed, series });
    return true;
  };
  // a cut after the whole answer is the last
  const cutAll = async (step: number, ...kinds: readonly Ending[]): Promise<void> => {
    const series = { last: 0 };
    for (let turn = 0; await cutAt(FIRST + turn * step, kinds[turn % kinds.length]!, series); turn++); // one of them
  };
  await cutAll(full ? STEP : strides[stride], ...endings);
  return made;
}

/** Resolves when the client has a connection again. */
async function whole(client: Client): Promise<void> {
  for (let answered = false; !answered; ) {
    answered = await client.callTool('look', { id: 'whole' }).then(
      () => true,
      () => false,
    );
  }
}

/** Returns the calls that were cut more than this many bytes before the last cut; later answers have longer ids. */
function cutEarly({ struck }: Cuts, trailer: number): string[] {
  return struck.filter(({ armed, series }) => armed.after < series.last - trailer).map(({ id }) => id);
}

describe.each(proxied)('over $name', (way) => {
  test('an answer that is cut at any byte is received once or ends in one error, and no call is executed twice', async () => {
    const cuts = await cut(way, 'down', 'answers');
    expect(cuts.audit.faults(site.ledger())).toEqual([]);
    expect(cuts.struck.length).toBeGreaterThan(10);
    expect(cutEarly(cuts, TRAILER).filter((id) => cuts.audit.isAnswered(id))).toEqual([]);
  });

  test('a request that is cut at any byte ends in at most one error, and no call is executed twice', async () => {
    const cuts = await cut(way, 'up', 'requests');
    expect(cuts.audit.faults(site.ledger())).toEqual([]);
    expect(cuts.struck.length).toBeGreaterThan(4);
    // an incomplete request is not executed; a line may lack its end if nothing follows it
    const ledger = site.ledger();
    expect(cutEarly(cuts, 1).filter((id) => ledger.has(`act ${id}`))).toEqual([]);
  });

  test('an answer after messages that is cut at any byte delivers each message at most once', async () => {
    const cuts = await cut(way, 'down', 'steps', { steps: 3 });
    expect(cuts.audit.faults(site.ledger())).toEqual([]);
    expect(cuts.struck.length).toBeGreaterThan(10);
    if (!resumes(way)) return;
    const lost = cuts.struck.filter(({ id, armed }) => hasPosition(armed) && !cuts.audit.isAnswered(id));
    expect(lost).toEqual([]);
    const short = cuts.struck.filter(
      ({ id }) => cuts.audit.isAnswered(id) && cuts.audit.stepsOf(id).length !== 3,
    );
    expect(short).toEqual([]);
  });
});

test('a poll for the rest of an answer that is cut at any byte is repeated without a loss', async () => {
  const cuts = await cut(
    wayNamed('HTTP sessions of 2025-11-25'),
    'down',
    'steps',
    { steps: 3, poll: true },
    () => ({
      marker: 'last-event-id',
    }),
  );
  expect(cuts.audit.faults(site.ledger())).toEqual([]);
  expect(cuts.struck.length).toBeGreaterThan(10);
  const ids = cuts.struck.map(({ id }) => id);
  expect(ids.filter((id) => cuts.audit.stepsOf(id).join() !== '1,2,3' || !cuts.audit.isAnswered(id))).toEqual(
    [],
  );
});

/** Returns whether a transport resumes an answer after a cut. */
function resumes({ kind, options }: Way): boolean {
  return kind === 'http' && options.era === 'handshake';
}

/** Returns whether a complete event with an id arrived before the cut. */
function hasPosition({ passed }: Armed): boolean {
  return /\nid: [^\n]*\n(?:data[^\n]*\n)*\n/.test(passed);
}

const stdio = ways.filter(({ kind }) => kind === 'stdio');
// concurrently, since the tests wait for processes to start
test.concurrent.for(stdio)(
  'a process, over $name, that exits at any byte of an answer gives one answer or one error, and executes no call twice',
  async (way, context) => {
    const place = await openSite();
    context.onTestFinished(() => place.close());
    const client = await connectTo(transportOf(way, place, undefined), way);
    context.onTestFinished(() => client.close());
    const audit = new Audit();
    const answered: boolean[] = [];
    for (
      let bytes = FIRST;
      answered.at(-1) !== true && bytes < LONGEST_ANSWER;
      bytes += full ? STEP : strides.processes
    ) {
      // a server that exits repeatedly is restarted with growing delays
      await whole(client);
      answered.push(audit.isAnswered(await audit.call(client, { bytesToLive: bytes })));
    }
    expect(audit.faults(place.ledger())).toEqual([]);
    expect([answered.length > (full ? 25 : 2), answered.at(-1)]).toEqual([true, true]);
    expect(place.starts).toBeGreaterThanOrEqual(answered.length);
  },
);
