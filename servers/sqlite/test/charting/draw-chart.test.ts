import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Client } from '@rootbound/protocol/client';
import { expect, test, vi } from 'vitest';
import { momentOf } from '../../src/charting/values.ts';
import { call, type Outcome, Served, type Setting } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { builtChart } from './chart-build.ts';

const served = new Served();
const lasting = new Served('file');
const built = builtChart();
const { folder, database, write } = scratch();
const shop = database(
  'shop.db',
  `CREATE TABLE sale (day TEXT, region TEXT, amount REAL, n INTEGER);
   INSERT INTO sale VALUES ('2026-01-31', 'north', 10.5, 1), ('2026-02-28', 'south', 20.25, 2),
     ('2026-03-31', 'east', NULL, 3), ('2026-04-30', 'west', 15.0, 9007199254740993)`,
);

interface Chart {
  kind: string;
  x: { name: string; scale: string; from: string; to: string };
  y: string[];
  points: number;
  series: { name: string; n: number; min: number; max: number; first: number[] }[];
  bins?: { from: number; to: number; n: number }[];
  nulls: number;
  not_numbers: number;
  truncated: boolean;
  source: { database: string; tables: string[] };
  svg?: string;
}

let usual: Promise<Client> | undefined;

/** Draws with the server that the file's tests share, unless there is a setting. */
async function draw(args: Record<string, unknown>, setting?: Setting): Promise<Outcome<Chart>> {
  if (setting === undefined) usual ??= lasting.client([folder], built);
  const client = await (setting === undefined ? usual! : served.client([folder], { ...built, ...setting }));
  return call<Chart>(client, 'draw_chart', { format: 'svg', ...args });
}

/** Counts the marks of each series in an SVG. */
function marksOf(svg: string): number[] {
  const counts: number[] = [];
  for (const [tag] of svg.matchAll(/<[^>]*ecmeta_ssr_type="chart"[^>]*>/g)) {
    const series = Number(/ecmeta_series_index="(\d+)"/.exec(tag)?.[1]);
    counts[series] = (counts[series] ?? 0) + 1;
  }
  return counts;
}

function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);
}

test('a bar chart has a bar for each number, by the first column', async () => {
  const { facts, text } = await draw({
    kind: 'bar',
    query: 'SELECT region, amount, n % 10 AS n FROM sale',
    title: 'Sales',
  });
  expect({ ...facts, svg: undefined }).toEqual({
    kind: 'bar',
    x: { name: 'region', scale: 'category', from: 'north', to: 'west' },
    y: ['amount', 'n'],
    points: 7,
    series: [
      { name: 'amount', n: 3, min: 10.5, max: 20.25, first: [10.5, 20.25, 15] },
      { name: 'n', n: 4, min: 1, max: 3, first: [1, 2, 3] },
    ],
    nulls: 1,
    not_numbers: 0,
    truncated: false,
    source: { database: shop, tables: ['sale'] },
    svg: undefined,
  });
  expect(marksOf(facts.svg!)).toEqual([3, 4]);
  expect(textsOf(facts.svg!)).toEqual(
    expect.arrayContaining(['Sales', 'north', 'south', 'east', 'west', 'region', 'amount', 'n']),
  );
  expect(text).toContain('bar chart of amount, n by region; 7 points, region from north to west');
  expect(text).toContain('amount: 10.5 to 20.25, beginning 10.5, 20.25, 15');
  expect(text).toContain('1 NULL left out');
});

test('ISO dates are placed in order of time, in UTC', async () => {
  const { facts } = await draw({ kind: 'line', query: 'SELECT day, amount FROM sale ORDER BY day DESC' });
  expect(facts.x).toEqual({ name: 'day', scale: 'time', from: '2026-01-31', to: '2026-04-30' });
  expect(facts.series[0]!.first).toEqual([10.5, 20.25, 15]);
  expect(marksOf(facts.svg!)).toEqual([3]);
  expect(textsOf(facts.svg!)).toEqual(expect.arrayContaining(['Feb', 'Mar', 'Apr']));
});

test.each([
  ['2026-01', '2026-01-01T00:00:00.000Z'],
  ['2026-01-31 10:30', '2026-01-31T10:30:00.000Z'],
  ['2026-01-31T10:30:00.5+02:00', '2026-01-31T08:30:00.500Z'],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['2026', undefined],
  ['soon', undefined],
  [2026, undefined],
])('%s is the moment %s', (value, moment) => {
  const found = momentOf(value);
  expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(moment);
});

test('a scatter chart has a mark for each pair of numbers', async () => {
  const query = "SELECT value AS a, value * value AS b FROM json_each('[1,2,3,4,5]')";
  const { facts } = await draw({ kind: 'scatter', query, x: 'b', y: ['a'] });
  expect(facts.x).toEqual({ name: 'b', scale: 'value', from: '1', to: '25' });
  expect(marksOf(facts.svg!)).toEqual([5]);
});

test('a histogram counts each value once, between round numbers', async () => {
  const query = "SELECT value / 10.0 AS v FROM json_each('[0,1,2,3,4,5,6,7,8,9,10]') UNION ALL SELECT NULL";
  const { facts, text } = await draw({ kind: 'histogram', query });
  expect(facts.bins).toEqual([
    { from: 0, to: 0.2, n: 2 },
    { from: 0.2, to: 0.4, n: 2 },
    { from: 0.4, to: 0.6, n: 2 },
    { from: 0.6, to: 0.8, n: 2 },
    { from: 0.8, to: 1, n: 3 },
  ]);
  expect([facts.points, facts.nulls]).toEqual([11, 1]);
  expect(marksOf(facts.svg!)).toEqual([5]);
  expect(text).toContain('histogram of v: 11 values from 0 to 1; 0 to 0.2: 2;');
});

test('whole numbers beyond 2^53 are drawn, and infinity and text are reported as left out', async () => {
  const query = "SELECT n, n FROM sale UNION ALL SELECT 9e999, 1 UNION ALL SELECT 5, 'five'";
  const { facts, text } = await draw({ kind: 'bar', query, x: 'n', y: 'n' });
  expect(facts.series[0]).toMatchObject({ n: 5, min: 1, max: 9007199254740992 });
  expect(facts.not_numbers).toBe(1);
  expect(text).toContain('1 value left out that cannot be drawn');
});

test('text of the database is escaped in the drawing', async () => {
  const hostile = `</text><script>\u0000\u0001]]>&lt;"'{b|x}<image href="http://x.example/a.png"/>`;
  const title = `${hostile}\ud800`;
  const half = "CAST(x'eda080' AS TEXT)";
  const query = `SELECT ? || ${half} AS "x<b>", 1 AS "]]><image href='file:///etc/passwd'/>", 2 AS "a
b"`;
  const { facts } = await draw({ kind: 'bar', query, params: [hostile], title, format: 'svg' });
  expect(facts.svg).not.toMatch(/<(?:script|image|a|foreignObject|use)\b/i);
  expect(facts.svg!.replace(/xmlns(?::xlink)?="[^"]*"/g, '').match(/<[^>]*(?:href|url\()[^>]*>/g)).toBe(null);
  expect(facts.svg!.split('\n').every((line) => !/[\p{Cc}\p{Cs}]/u.test(line))).toBe(true);
  expect(textsOf(facts.svg!).some((text) => text.startsWith('&lt;/text&gt;&lt;script&gt;'))).toBe(true);
  const { result } = await draw({ kind: 'bar', query, params: [hostile], title, format: 'png' });
  // the PNG renderer's XML parser accepts only well-formed SVG
  expect(result.content[1]).toMatchObject({ type: 'image' });
});

test('a PNG has its size and is not blank, and comes with the SVG if both are requested', async () => {
  const { result, facts } = await draw({
    kind: 'line',
    query: 'SELECT day, amount FROM sale',
    format: 'both',
    width: 320,
    height: 200,
  });
  const [words, image, embedded] = result.content;
  expect([words?.type, image?.type, embedded?.type]).toEqual(['text', 'image', 'resource']);
  const png = Buffer.from(image?.type === 'image' ? image.data : '', 'base64');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([320, 200]);
  expect(new Set(pixelsOf(png)).size).toBeGreaterThan(20);
  expect(embedded).toMatchObject({ resource: { mimeType: 'image/svg+xml', text: facts.svg } });
});

test('equal rows give an equal drawing', async () => {
  const args = { kind: 'bar', query: 'SELECT region, amount FROM sale' };
  expect((await draw(args)).facts.svg).toBe((await draw(args)).facts.svg);
});

test('rows beyond the limit of a chart are reported as left out', async () => {
  const query =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i, i FROM n';
  const { facts, text } = await draw({ kind: 'bar', query });
  expect([facts.truncated, facts.points, marksOf(facts.svg!)]).toEqual([true, 200, [200]]);
  expect(text).toContain('only the first 200 rows');
});

test('a query that cannot be drawn fails with the next step', async () => {
  const codeOf = async (query: string, y?: string): Promise<string | undefined> => {
    const { failed, code } = await draw({ kind: 'line', query, ...(y !== undefined && { y }) });
    return failed ? code : undefined;
  };
  expect(await codeOf('SELECT day, amount FROM sale WHERE 0')).toBe('no-numbers');
  expect(await codeOf('SELECT day, amount FROM sale WHERE 0', 'amount')).toBe('no-data');
  expect(await codeOf('SELECT day, region FROM sale')).toBe('no-numbers');
  expect(await codeOf('SELECT day, amount FROM sale', 'amout')).toBe('columns');
  expect(await codeOf('DELETE FROM sale')).toBe('refused');
  const many = Array.from({ length: 14 }, (_, at) => at).join(', ');
  expect(await codeOf(`SELECT ${many}`)).toBe('too-many-series');
});

test('a drawing above the result limit is refused', async () => {
  const outcome = await draw({ kind: 'bar', query: 'SELECT region, amount FROM sale' }, { maxOutput: 2048 });
  expect([outcome.failed, outcome.code]).toEqual([true, 'too-large']);
});

test('a drawing that does not end is killed at its deadline and when the call is cancelled', async () => {
  const pids = join(folder, 'pids');
  const chartFile = write(
    'stuck.cjs',
    `require('node:fs').appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n'); for (;;);`,
  );
  const client = await served.client([folder], { chartFile });
  const args = { kind: 'bar', query: 'SELECT region, amount FROM sale' };
  // starts the lane
  await call(client, 'draw_chart', { ...args, y: 'none' });
  const late = await call(client, 'draw_chart', { ...args, timeout_ms: 1000 });
  expect([late.code, late.text]).toEqual(['deadline', expect.stringContaining('the chart was not drawn')]);
  const cancel = new AbortController();
  const left = call(client, 'draw_chart', args, { signal: cancel.signal });
  const started = (): number[] => readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  await vi.waitFor(() => expect(started()).toHaveLength(2), 120_000);
  cancel.abort();
  await expect(left).rejects.toThrow();
  for (const pid of started()) await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 120_000);
});

/** Returns the bytes of a PNG's rows. */
function pixelsOf(png: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      pieces.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return inflateSync(Buffer.concat(pieces));
}
