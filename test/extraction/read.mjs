// reads every page of a corpus and writes a line of JSON for each: its text, the method and the CPU time
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCorpus, readPage } from './corpora.mjs';

const [bundle = '', corpus = '', output = ''] = process.argv.slice(2);
const { readHtml } = await import(pathToFileURL(join(bundle, 'extract.js')).href);
const { decodeText } = await import(pathToFileURL(join(bundle, 'decode.js')).href);

const pages = readCorpus(corpus);
const lines = openSync(output, 'w');
// the first pages are read twice, so that no measurement includes the compilation
for (const page of pages.slice(0, 10)) read(page);
for (const page of pages) writeSync(lines, `${JSON.stringify(measure(page))}\n`);
writeSync(lines, `${JSON.stringify({ peakRssMb: process.resourceUsage().maxRSS / 1024 })}\n`);
closeSync(lines);

/** @param {import('./corpora.mjs').Page} page */
function measure(page) {
  const before = process.cpuUsage();
  const { text, extraction } = read(page);
  const { user, system } = process.cpuUsage(before);
  return { id: page.id, text, method: extraction.method, cpuMs: (user + system) / 1000 };
}

/** @param {import('./corpora.mjs').Page} page */
function read(page) {
  const { text } = decodeText(readPage(page), { markup: 'html' });
  const url = URL.canParse(page.url) ? page.url : 'https://page.invalid/';
  return readHtml(text, { url, want: 'article' });
}
