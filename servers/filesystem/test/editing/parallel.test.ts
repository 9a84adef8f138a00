import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { call, newest, type Outcome, Scene } from '../harness.ts';

const scene = new Scene();
const names = Array.from({ length: 50 }, (_, index) => `<${index}>`);

function edit(client: Client, edits: readonly object[]): Promise<Outcome> {
  return call(client, 'edit_file', { path: 'a.txt', edits });
}

test('fifty edits at once of a file that takes many turns all land', async () => {
  const filler = `${'filler '.repeat(10)}\n`.repeat(20_000);
  scene.put('a.txt', `${names.join('\n')}\n${filler}`);
  const client = await scene.client({ revision: newest });
  const outcomes = await Promise.all(
    names.map((name) => edit(client, [{ oldText: name, newText: `${name} done` }])),
  );
  expect(outcomes.filter(({ failed }) => failed).map(({ text }) => text)).toEqual([]);
  const after = `${names.map((name) => `${name} done\n`).join('')}${filler}`;
  expect(scene.bytes('a.txt').toString() === after).toBe(true);
});

test('fifty concurrent insertions each use the line numbers after the previous ones', async () => {
  scene.put('a.txt', '');
  const client = await scene.client({ revision: newest, extra: { fsync: true } });
  const outcomes = await Promise.all(
    names.map((name) => edit(client, [{ insertLine: 0, newText: `${name}\n` }])),
  );
  expect(outcomes.filter(({ failed }) => failed).map(({ text }) => text)).toEqual([]);
  const lines = scene.bytes('a.txt').toString().split('\n').slice(0, -1);
  expect(lines.toSorted()).toEqual(names.toSorted());
});

test('of concurrent edits with one etag, one is applied and the others are refused as changed', async () => {
  scene.put('a.txt', `${names.join('\n')}\n`);
  const client = await scene.client({ revision: newest, extra: { fsync: true } });
  const { etag } = (await call(client, 'get_file_info', { path: 'a.txt' })).facts;
  const outcomes = await Promise.all(
    names.map((name) =>
      call(client, 'edit_file', { path: 'a.txt', edits: [{ oldText: name, newText: 'x' }], ifMatch: etag }),
    ),
  );
  expect(outcomes.map(({ code = 'landed' }) => code).toSorted()).toEqual([
    ...Array.from({ length: 49 }, () => 'changed'),
    'landed',
  ]);
  expect(scene.bytes('a.txt').toString().split('x').length).toBe(2);
});

test.each<[string, (path: string, line: string) => void]>([
  ['appends in place', (path, line) => appendFileSync(path, line)],
  ['writes it anew', (path, line) => writeFileSync(path, `${readFileSync(path, 'utf8')}${line}`)],
])(
  'while somebody else %s, each edit of two servers lands or fails as changed, and nothing is lost',
  async (_how, write) => {
    scene.put('a.txt', `${names.join('\n')}\n`);
    const setting = { revision: newest, extra: { fsync: true } } as const;
    const clients = [await scene.client(setting), await scene.client(setting)];
    const edited = Promise.all(
      names.map((name, index) => edit(clients[index % 2]!, [{ oldText: name, newText: `${name} done` }])),
    );
    const added: string[] = [];
    for (let turn = 0; turn < 20; turn++) {
      await setImmediate();
      added.push(`added ${turn}\n`);
      write(scene.at('a.txt'), added.at(-1)!);
    }
    const outcomes = await edited;
    const refused = outcomes.filter(({ failed }) => failed);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['changed']));
    expect(refused.length).toBeLessThan(names.length);
    const expected = names.map((name, index) => (outcomes[index]!.failed ? name : `${name} done`)).join('\n');
    expect(scene.bytes('a.txt').toString()).toBe(`${expected}\n${added.join('')}`);
    expect(scene.names()).toEqual(['a.txt']);
  },
);
