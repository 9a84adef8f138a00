import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Audit } from './audit.ts';
import { bundleProgram, type Program } from './bundle.ts';
import type { Ending, Fault } from './proxy.ts';
import { Site } from './site.ts';
import { connectTo, proxied, proxyFor, transportOf, type Way } from './ways.ts';

let program: Program;
let site: Site;
beforeAll(async () => {
  program = await bundleProgram();
  site = new Site(program);
  await site.open();
  await site.start();
});
afterAll(async () => {
  await site.close();
  program.remove();
});

async function cutEverywhere(way: Way, direction: Fault['way'], endings: Ending[], args: object, step: number) {
  const { proxy, at } = await proxyFor(way, site);
  onTestFinished(() => proxy.close());
  const client = await connectTo(transportOf(way, site, at), way);
  const audit = new Audit();
  let where = '';
  onTestFinished(() => console.log(way.name, direction, JSON.stringify(args), 'last', where));
  const sound = async (): Promise<void> => {
    for (let ok = false; !ok; ) ok = await client.callTool('look', { id: 'sound' }).then(() => true, () => false);
  };
  // once clean
  let max = 1;
  let n = 0;
  const stats = { answered: 0, lost: 0 };
  for (const ending of endings) {
    for (let after = 0; ; after += step) {
      n++;
      await sound();
      const id = audit.begin();
      const armed = proxy.arm({ way: direction, after, ending, ...(way.kind === 'http' && direction === 'down' && { marker: id }), ...(way.kind==='sse' && direction === 'down' && { began: 'GET /sse' }) });
      where = `${id} ${ending} ${after}`;
      await audit.follow(id, client, { ...args });
      proxy.disarm();
      if (audit.isAnswered(id)) stats.answered++; else stats.lost++;
      if (!armed.struck) break;
      max = after;
    }
  }
  await client.close();
  console.log(way.name, direction, max, n, stats);
  const f = audit.faults(site.ledger()); return [...f.slice(0,3), ...(f.length > 3 ? [String(f.length)]: [])];
}

describe.each(proxied)('$name', (way) => {
  test('down', async () => {
    const t = performance.now();
    expect(await cutEverywhere(way, 'down', ['reset', 'end'], {}, 1)).toEqual([]);
    console.log(performance.now() - t);
  });
  test('up', async () => {
    expect(await cutEverywhere(way, 'up', ['reset', 'end'], {}, 1)).toEqual([]);
  });
  test('steps', async () => {
    expect(await cutEverywhere(way, 'down', ['reset', 'end'], {steps: 3}, 1)).toEqual([]);
  });
});
