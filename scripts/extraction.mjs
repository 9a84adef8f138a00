// npm run extraction -- --corpus DIR: measures how well and how fast the main content of known pages is found
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { install, root } from './setup.mjs';
import { visible } from './visible.mjs';

const HELP = `npm run extraction -- --corpus DIR [--json FILE]

  DIR has the folders articles (ground-truth.json, html/) and snippets (expected.json, html/). Rules are written for
  the tuning half of each; the unseen half shows whether they work for other pages.
`;

/** The lowest scores; the command fails below them. */
const FLOORS = { articles: 0.955, snippets: 0.915 };
const MOST_MEDIAN_MS = 30;
const MOST_RSS_MB = 350;

const { values } = parseArgs({ options: { corpus: { type: 'string' }, json: { type: 'string' } } });
if (values.corpus === undefined) {
  process.stderr.write(HELP);
  process.exit(2);
}
const folder = resolve(values.corpus);

install();
const { rolldown } = await import('rolldown');
const { scoreArticles, scoreSnippets } = await import('../test/extraction/score.mjs');
const { readCorpus } = await import('../test/extraction/corpora.mjs');
const { plainText } = await import('../test/extraction/plain.mjs');

const output = mkdtempSync(join(tmpdir(), 'extraction-'));
try {
  await bundle(output);
  const results = Object.keys(FLOORS)
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => evaluate(name));
  if (results.length === 0)
    throw new Error(`--corpus: ${visible(values.corpus)} has no folder articles or snippets`);
  for (const result of results) process.stdout.write(render(result));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
  process.exitCode = results.every(({ failures }) => failures.length === 0) ? 0 : 1;
} finally {
  rmSync(output, { recursive: true });
}

/** @param {string} directory */
async function bundle(directory) {
  const sources = join(root, 'servers', 'fetch', 'src');
  const build = await rolldown({
    input: {
      extract: join(sources, 'extracting', 'extract.ts'),
      decode: join(sources, 'charset', 'decode.ts'),
    },
    platform: 'node',
  });
  await build.write({ dir: directory, format: 'esm', entryFileNames: '[name].js' });
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
}

/** @param {string} name of the corpus */
function evaluate(name) {
  const results = join(output, `${name}.jsonl`);
  const reader = join(root, 'test', 'extraction', 'read.mjs');
  const child = spawnSync(process.execPath, [reader, output, join(folder, name), results], {
    stdio: 'inherit',
  });
  if (child.status !== 0) throw new Error(`reading ${name} ended with ${child.status ?? child.signal}`);
  const lines = readFileSync(results, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { peakRssMb } = lines.pop();
  const read = new Map(lines.map((line) => [line.id, line]));
  const pages = readCorpus(join(folder, name)).map((page) => {
    const { text, method, cpuMs } = read.get(page.id);
    return { ...page, text: plainText(text), method, cpuMs };
  });
  const scores = ['all', 'tuning', 'unseen'].map((half) => {
    const part = pages.filter((page) => half === 'all' || page.half === half);
    return { half, pages: part.length, ...score(name, part), cpuMs: spread(part.map(({ cpuMs }) => cpuMs)) };
  });
  /** @type {Record<string, number>} */
  const methods = {};
  for (const { method } of pages) methods[method] = (methods[method] ?? 0) + 1;
  const result = { name, scores, methods, peakRssMb };
  return { ...result, failures: failuresOf(result) };
}

/**
 * @param {string} name
 * @param {any[]} pages
 */
function score(name, pages) {
  if (name === 'snippets') return scoreSnippets(pages);
  return scoreArticles(pages.map(({ article, text }) => ({ expected: article, text })));
}

/** @param {{ name: string, scores: any[], peakRssMb: number }} result */
function failuresOf({ name, scores, peakRssMb }) {
  const floor = FLOORS[/** @type {keyof typeof FLOORS} */ (name)];
  return [
    ...scores.flatMap(({ half, f1 }) => (f1 < floor ? [`F1 of ${half} is under ${floor}`] : [])),
    ...(scores[0].cpuMs.p50 > MOST_MEDIAN_MS
      ? [`the median page takes more than ${MOST_MEDIAN_MS} ms of CPU`]
      : []),
    ...(peakRssMb > MOST_RSS_MB ? [`the peak is over ${MOST_RSS_MB} MB`] : []),
  ];
}

/** @param {number[]} values */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** @param {{ name: string, scores: any[], methods: Record<string, number>, peakRssMb: number, failures: string[] }} result */
function render({ name, scores, methods, peakRssMb, failures }) {
  const rows = scores.map(({ half, pages, f1, precision, recall, cpuMs }) => [
    half,
    String(pages),
    f1.toFixed(4),
    precision.toFixed(4),
    recall.toFixed(4),
    ...[cpuMs.p50, cpuMs.p95, cpuMs.max].map((ms) => ms.toFixed(1)),
  ]);
  const table = [['half', 'pages', 'F1', 'precision', 'recall', 'CPU ms p50', 'p95', 'max'], ...rows];
  const lines = table.map((row) =>
    row
      .map((cell) => cell.padEnd(11))
      .join('')
      .trimEnd(),
  );
  const counts = Object.entries(methods).map(([method, count]) => `${method} ${count}`);
  const verdict = failures.map((failure) => `FAILED: ${failure}\n`).join('');
  return `${name}\n${lines.join('\n')}\nmethods: ${counts.join(', ')}\npeak RSS: ${peakRssMb.toFixed(0)} MB\n${verdict}\n`;
}
