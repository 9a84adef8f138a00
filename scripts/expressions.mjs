// part of npm run lint: fails for a regular expression that is not linear; --all proves each of them again, --write stores
// the list of proved ones, so that they are proved once
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { expressionsBelow } from './expressions/extract.mjs';
import { faultOf, isFixed, keyOf } from './expressions/prove.mjs';
import { accepted, bounded, made } from './expressions/reasons.mjs';
import { visible, visibleLines } from './visible.mjs';

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, write: { type: 'boolean' }, root: { type: 'string' } },
});
const root = values.root ?? join(import.meta.dirname, '..');
const list = join(import.meta.dirname, 'expressions', 'proved.txt');
const known = new Set(readFileSync(list, 'utf8').split('\n').filter(Boolean));
const excepted = new Set([...accepted, ...bounded].map(([text]) => text));
/** @type {Set<string>} */
const proved = new Set();
/** @type {string[]} */
const faults = [];
let count = 0;

for (const expression of expressionsBelow(root)) {
  const where = `${expression.file}:${expression.line}`;
  if ('call' in expression) {
    const isKnown = made.some(([file, call]) => file === expression.file && call === expression.call);
    if (!isKnown)
      faults.push(
        `${where}\n  ${expression.call}\n  built at run time, without a row in scripts/expressions/reasons.mjs`,
      );
    continue;
  }
  count += 1;
  const { source, flags } = expression;
  if (isFixed(source) || excepted.has(`/${source}/${flags}`)) continue;
  const key = keyOf(expression);
  if (!proved.has(key) && (values.all === true || !known.has(key))) {
    process.stderr.write(`${visible(where)} is being proved\n`);
    const found = await faultOf(expression);
    if (found !== undefined) {
      faults.push(`${where}\n  /${source}/${flags}\n  ${found.fault}: ${found.attack}`);
      continue;
    }
  }
  proved.add(key);
}

for (const fault of faults) process.stdout.write(`${visibleLines(fault)}\n`);
process.stdout.write(`${count} regular expressions, ${faults.length} that are not linear\n`);
if (values.write === true) writeFileSync(list, `${[...proved].sort().join('\n')}\n`);
// the program of recheck does not end by itself
process.exit(faults.length === 0 ? 0 : 1);
