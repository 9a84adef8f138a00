// feeds texts to regular expressions and parsers in a thread, and stops those that exceed linear processor time
import { readFileSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';

const { subjects, full, budget } =
  parentPort === null
    ? { subjects: process.argv[2], full: process.argv[3] === 'full', budget: process.argv[4] }
    : workerData;
const areExpressions = subjects.endsWith('.json');
/** Length of the texts: a step of an expression costs less than one of a parser. */
const LENGTH = full ? 1_000_000 : areExpressions ? 125_000 : 100_000;
/** Limit in seconds: many times the linear cost, and a small part of a quadratic one. */
const MOST = full ? '15' : '1.5';
/** Of parsers and expressions each so many. */
const EVERY = full || budget !== undefined ? 1 : 5;
/** How many words stand before other parts: more of that in the full run. */
const HEADS = full ? 2 : 1;

if (parentPort === null) {
  const slow = [];
  let from = 0;
  while (from !== undefined) {
    const stopped = await run(from, Number(budget ?? MOST) * 1e6);
    if (stopped !== undefined) slow.push(stopped.name);
    // a slow subject would be slow for its other texts as well
    from = stopped === undefined ? undefined : stopped.index + 1;
  }
  process.stdout.write(JSON.stringify(slow));
} else await feed(workerData.from);

/** Feeds the subjects from an index on; returns the first that exceeds the limit, or undefined. */
function run(from, most) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { subjects, full, budget, from } });
    let now;
    let slow;
    const watch = setInterval(() => {
      if (now === undefined || spent(now.used) < most) return;
      clearInterval(watch);
      slow = now;
      void worker.terminate();
    }, 50);
    worker.on('message', (begun) => {
      now = { ...begun, used: process.cpuUsage() };
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearInterval(watch);
      resolve(slow);
    });
  });
}

function spent(since) {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

async function feed(from) {
  const cases = areExpressions
    ? JSON.parse(readFileSync(subjects, 'utf8')).map(ofExpression)
    : Object.entries((await import(subjects)).parsers).map(([name, { alphabet, parse }]) => ({
        name,
        alphabet,
        parse,
      }));
  for (const [index, { name, alphabet, parse }] of cases.entries()) {
    if (index < from || index % EVERY !== 0) continue;
    for (const [description, text] of textsOf(alphabet)) {
      parentPort.postMessage({ index, name: `${name} of ${description}` });
      try {
        parse(text);
      } catch {
        // an error is a valid result
      }
    }
  }
}

function ofExpression({ source, flags, inLoop = false, most }) {
  const expression = new RegExp(source, inLoop ? flags : flags.replace('y', ''));
  const feed = expression.global ? (text) => text.replace(expression, '') : (text) => expression.test(text);
  const parse = (text) => {
    if (inLoop && !expression.global) while (expression.test(text));
    else feed(most === undefined ? text : text.slice(0, most / 2) + text.slice(-most / 2));
  };
  return { name: `/${source}/${flags}`, alphabet: alphabetOf(source), parse };
}

/** Returns the literals of an expression, and members of its classes. */
function alphabetOf(source) {
  const plain = source
    .replace(/\\[bBdDwWsSpP](?:\{[^}]*\})?|\(\?[<:!=]*|[{]\d+,?\d*\}/g, ' ')
    .replace(/\\(.)/g, '$1');
  const words = plain.match(/[\w/:<!"'=@.-]{2,12}/g) ?? [];
  const signs = [...new Set(plain)].filter((sign) => !/[\w|()?*+^$ ]/.test(sign));
  return [...new Set([' ', 'a', '0', ...words.slice(0, 5), ...signs.slice(0, 7)])];
}

/** Yields texts that repeat each part, alone, before a mismatch, after each word, and in pairs. */
function* textsOf(alphabet) {
  for (const part of alphabet)
    for (const tail of ['', '"', '\0!']) yield [JSON.stringify([part, tail]), fill(part) + tail];
  const heads = alphabet.filter((part) => part.length > 1).slice(0, HEADS);
  for (const head of heads)
    for (const part of alphabet.slice(0, 6)) yield [JSON.stringify([head, part]), head + fill(part)];
  for (const head of heads.slice(0, HEADS / 2))
    for (const part of alphabet.slice(0, 4)) yield [JSON.stringify(head + part), fill(head + part)];
}

function fill(part) {
  return part.repeat(Math.ceil(LENGTH / part.length));
}
