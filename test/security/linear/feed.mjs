// feeds texts to expressions and parsers in a thread, and ends one that spends more processor time than a linear one can
import { readFileSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';

const LENGTH = 1_000_000;
/** How many words stand before other parts: all of that in the full run. */
const HEADS = process.env.ROOTBOUND_FULL === '1' ? 4 : 1;

if (parentPort === null) {
  const [, , subjects, budget = '15'] = process.argv;
  const slow = [];
  let from = 0;
  while (from !== undefined) {
    const stopped = await run(subjects, from, Number(budget) * 1e6);
    if (stopped !== undefined) slow.push(stopped.name);
    from = stopped === undefined ? undefined : stopped.index + 1;
  }
  process.stdout.write(JSON.stringify(slow));
} else await feed(workerData);

/** Runs the cases from one on; the case that spends too much, or undefined when all have run. */
function run(subjects, from, most) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { subjects, from } });
    let now;
    const watch = setInterval(() => {
      if (now === undefined || spent(now.used) < most) return;
      clearInterval(watch);
      void worker.terminate().then(() => resolve(now));
    }, 50);
    worker.on('message', (begun) => {
      now = { ...begun, used: process.cpuUsage() };
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearInterval(watch);
      resolve(undefined);
    });
  });
}

function spent(since) {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

async function feed({ subjects, from }) {
  const cases = subjects.endsWith('.json')
    ? JSON.parse(readFileSync(subjects, 'utf8')).map(ofExpression)
    : Object.entries((await import(subjects)).parsers).map(([name, { alphabet, parse }]) => ({
        name,
        alphabet,
        parse,
      }));
  let index = 0;
  for (const { name, alphabet, parse } of cases)
    for (const [told, text] of textsOf(alphabet)) {
      if (index++ < from) continue;
      parentPort.postMessage({ index: index - 1, name: `${name} of ${told}` });
      try {
        parse(text);
      } catch {
        // a refusal is an answer
      }
    }
}

function ofExpression({ source, flags }) {
  const expression = new RegExp(source, flags.replace('y', ''));
  const parse = expression.global ? (text) => text.replace(expression, '') : (text) => expression.test(text);
  return { name: `/${source}/${flags}`, alphabet: alphabetOf(source), parse };
}

/** The words and signs that an expression is written with, and members of the classes in it. */
function alphabetOf(source) {
  const plain = source
    .replace(/\\[bBdDwWsSpP](?:\{[^}]*\})?|\(\?[<:!=]*|[{]\d+,?\d*\}/g, ' ')
    .replace(/\\(.)/g, '$1');
  const words = plain.match(/[\w/:<!"'=@.-]{2,12}/g) ?? [];
  const signs = [...new Set(plain)].filter((sign) => !/[\w|()?*+^$ ]/.test(sign));
  return [...new Set([' ', 'a', '0', ...words.slice(0, 5), ...signs.slice(0, 7)])];
}

/** Each part alone and before what ends it otherwise, each word before many of each part, and pairs. */
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
