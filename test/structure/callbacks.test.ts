import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findOffences, type Offence } from './callbacks.ts';
import { sourcesBelow } from './graph.ts';
import { quietCalls, quietIn } from './quiet-calls.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = [
  ...['packages/kit/src', 'packages/protocol/src'],
  ...['servers/filesystem/src', 'servers/git/src', 'servers/sqlite/src', 'servers/fetch/src'],
];
const used = new Set<string>();

/** Returns whether a call is on the list for every file, by its last name, or on that of its file, by its text. */
function isQuiet(callee: string, file: string): boolean {
  if (quietCalls.has(callee.slice(callee.lastIndexOf('.') + 1))) return true;
  const reasons = quietIn[file];
  if (reasons === undefined || !Object.hasOwn(reasons, callee)) return false;
  used.add(`${file} ${callee}`);
  return true;
}

const inSource = (text: string): Offence[] => findOffences('planted.ts', text, isQuiet);

test('no callback of a socket, stream, event, timer or worker throws', () => {
  const found = sourcesBelow(root, folders).flatMap((file) =>
    findOffences(file, readFileSync(join(root, file), 'utf8'), isQuiet),
  );
  const lines = found.map(({ file, line, by, what }) => `${file}:${line}: ${by}: ${what}`);
  expect([...new Set(lines)]).toEqual([]);
  const listed = Object.entries(quietIn).flatMap(([file, calls]) =>
    Object.keys(calls).map((callee) => `${file} ${callee}`),
  );
  expect(listed.filter((one) => !used.has(one))).toEqual([]);
});

test.each([
  ['a head that Node refuses', "outgoing.on('response', (answer) => response.writeHead(answer.statusCode));"],
  ['a parser', "socket.on('data', (bytes) => { const message = JSON.parse(bytes); });"],
  ['a throw in a timer', 'setTimeout(() => { if (late) throw new Error(); }, 5);'],
  [
    'the body of a method',
    "class A { begin() { port.on('message', (m) => this.#take(m)); } #take(m) { decodeURIComponent(m); } }",
  ],
  [
    'the body of a function that is passed by name',
    "const end = () => parse(text); child.once('exit', end);",
  ],
  [
    'a promise without a handler',
    "child.on('close', () => void finish()); async function finish() { await parse(); }",
  ],
  ['a try without a catch', 'setImmediate(() => { try { parse(); } finally { clearTimeout(t); } });'],
  ['a catch that throws', "socket.on('data', () => { try { parse(); } catch { parse(); } });"],
  ['a server', 'http.createServer((request, response) => response.writeHead(200));'],
  ['a worker by its member', 'worker.onmessage = ({ data }) => parse(data);'],
  ['a buffer of a size that came', "socket.on('data', (b) => { all = Buffer.alloc(b.readUInt32LE(0)); });"],
  ['a URL', "lines.on('line', (line) => { at = new URL(line); });"],
  ['the handler of a guard', "socket.on('data', guarded(read, (error) => parse(error)));"],
])('a planted callback that may throw is found: %s', (_, text) => {
  expect(inSource(text).length).toBeGreaterThan(0);
});

test.each([
  ['under a guard', "socket.on('data', guarded((bytes) => parse(bytes), () => socket.destroy()));"],
  ['in a try', "socket.on('data', () => { try { parse(); } catch { socket.destroy(); } });"],
  ['by a promise with a handler', 'setTimeout(() => { work().catch(() => {}); }, 5);'],
  ['in a function that is not called there', "socket.on('end', () => { later = () => parse(); });"],
])('a callback that throws nowhere passes: %s', (_, text) => {
  expect(inSource(text)).toEqual([]);
});
