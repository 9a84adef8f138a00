import { isPunctuation, isSpace } from './characters.ts';
import { type Pair, type Run, runsOf } from './delimiter-runs.ts';

/** The rules by which a Markdown reader matches emphasis delimiters. */
export interface Dialect {
  /** whether a delimiter beside another one may always open and close, as in micromark */
  readonly isLenient: boolean;
  /** whether characters are UTF-16 code units, so that surrogates count as letters */
  readonly byUnits: boolean;
}

/** CommonMark, and a widespread reader that departs from it: both have to match the pairs. */
export const dialects: readonly Dialect[] = [
  { isLenient: false, byUnits: false },
  { isLenient: true, byUnits: true },
];

/** Returns the pairs of markers that a reader would not match, by CommonMark's rules for delimiter runs. */
export function misreadIn(
  pieces: readonly string[],
  pairs: readonly Pair[],
  dialect: Dialect,
): ReadonlySet<Pair> {
  const misread = new Set<Pair>();
  const open: Run[] = [];
  const drop = (from: number): void => {
    for (const { begins } of open.splice(from)) for (const pair of begins) misread.add(pair);
  };
  for (const run of runsOf(pieces, pairs)) {
    if (run.sign !== '[') {
      readRun(run, open, dialect, misread, drop);
    } else if (run.begins.length > 0) {
      open.push(run);
    } else {
      const link = open.findLastIndex(({ sign }) => sign === '[');
      drop(link + 1);
      open.pop();
    }
  }
  drop(0);
  return misread;
}

function readRun(
  run: Run,
  open: Run[],
  dialect: Dialect,
  misread: Set<Pair>,
  drop: (from: number) => void,
): void {
  if (run.sign === '~' && run.length !== 2) {
    for (const pair of [...run.ends, ...run.begins]) misread.add(pair);
    return;
  }
  const flanks = flanksOf(run, dialect);
  while (flanks.canClose && run.left > 0) {
    const place = openerOf(run, open, flanks, dialect);
    if (place === undefined) break;
    const opener = open[place]!;
    const pair = place < 0 ? undefined : pairOf(opener, run);
    if (pair === undefined) {
      // a marker that opens beside a closing one changes the closing run
      const wrong = run.begins.length > 0 ? run.begins : run.ends.slice(0, 1);
      for (const one of wrong) misread.add(one);
      // the other pairs are matched again once this one is a tag
      for (const runs of open) runs.begins = runs.begins.filter((one) => !run.ends.includes(one));
      return;
    }
    match(opener, run, pair);
    drop(place + 1);
    if (opener.left === 0) open.pop();
  }
  for (const pair of run.ends) misread.add(pair);
  if (run.begins.length === 0) return;
  if (flanks.canOpen) open.push(run);
  else for (const pair of run.begins) misread.add(pair);
}

function match(opener: Run, closer: Run, pair: Pair): void {
  opener.begins = opener.begins.filter((one) => one !== pair);
  closer.ends = closer.ends.filter((one) => one !== pair);
  opener.left -= pair.marker.length;
  closer.left -= pair.marker.length;
}

/** Returns the pair whose markers both runs have and that is matched next. */
function pairOf(opener: Run, closer: Run): Pair | undefined {
  const length = Math.min(2, opener.left, closer.left);
  return closer.ends.find((pair) => pair.marker.length === length && opener.begins.includes(pair));
}

interface Flanks {
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

/** Returns the index of the run that this one closes; -1 if readers differ, undefined if there is none. */
function openerOf(closer: Run, open: readonly Run[], flanks: Flanks, dialect: Dialect): number | undefined {
  for (let place = open.length - 1; place >= 0; place--) {
    const opener = open[place]!;
    if (opener.sign === '[') return undefined;
    if (opener.sign !== closer.sign) continue;
    if (closer.sign === '~') return place;
    const mayBeBoth = flanks.canOpen || flanksOf(opener, dialect).canClose;
    const refused = mayBeBoth && sumRefuses(opener.length, closer.length) && opener.length % 3 !== 0;
    const refusedNow = mayBeBoth && sumRefuses(opener.left, closer.left) && closer.left % 3 !== 0;
    if (refused !== refusedNow) return -1;
    if (!refused) return place;
  }
  return undefined;
}

/**
 * Returns whether two lengths sum to a multiple of three: such delimiters that may both open and close do not match.
 */
function sumRefuses(one: number, other: number): boolean {
  return (one + other) % 3 === 0;
}

function flanksOf({ sign, before, after }: Run, { isLenient, byUnits }: Dialect): Flanks {
  const last = kindOf(before, before.length - 1, byUnits);
  const next = kindOf(after, 0, byUnits);
  const isAttention = (unit: string | undefined): boolean => isLenient && sign === '*' && unit === '~';
  return {
    canOpen: next === 'letter' || (next === 'sign' && last !== 'letter') || isAttention(after[0]),
    canClose: last === 'letter' || (last === 'sign' && next !== 'letter') || isAttention(before.at(-1)),
  };
}

function kindOf(text: string, at: number, byUnits: boolean): 'space' | 'sign' | 'letter' {
  if (text === '' || isSpace(text.charCodeAt(at))) return 'space';
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdfff) return isPunctuation(unit) ? 'sign' : 'letter';
  const point = text.codePointAt(unit >= 0xdc00 && at > 0 ? at - 1 : at)!;
  return !byUnits && /[\p{P}\p{S}]/u.test(String.fromCodePoint(point)) ? 'sign' : 'letter';
}
