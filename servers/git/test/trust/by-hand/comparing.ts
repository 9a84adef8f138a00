import { type Difference, type Row, rows } from './differences.ts';
import type { Started } from './recorder.ts';

/** The result of a comparison. */
export interface Compared {
  /** what differs and is not named, in words */
  readonly faults: readonly string[];
  /** the named differences that were met */
  readonly met: ReadonlySet<Difference>;
}

/** Names that git makes up anew each time. */
const random: readonly (readonly [RegExp, string])[] = [
  [/\.merge_file_\w{6}/g, '.merge_file_*'],
  [/next-index-\d{1,9}/g, 'next-index-*'],
  [/index\.stash\.\d{1,9}/g, 'index.stash.*'],
  [/tmp_objdir-incoming-\w{6}/g, 'tmp_objdir-incoming-*'],
  [/(\.git_(?:signing_key|signing_buffer|vtag)_tmp)\w{6}/g, '$1*'],
  // the moment since which a monitor is asked
  [/"\d{16,20}"/g, '"*"'],
  [/git-blob-\w{6}/g, 'git-blob-*'],
  // of a certificate for a push: when it was made, and for which try
  [/^(pusher .{1,80}?) \d{1,12} /gm, '$1 * '],
  [/^nonce .{1,80}$/gm, 'nonce *'],
];

function settled(text: string): string {
  return random.reduce((changed, [pattern, name]) => changed.replace(pattern, name), text);
}

/** Compares what was started by hand with what the server had git start, one after the other. */
export function compare(
  byHand: readonly Started[],
  byServer: readonly Started[],
  named: readonly Difference[],
): Compared {
  const met = new Set<Difference>();
  const faults: string[] = [];
  const allowed = (Object.entries(rows) as [Difference, Row][]).filter(
    ([name, { always }]) => always === true || named.includes(name),
  );
  const without = (all: readonly Started[], what: 'leavesOut' | 'adds'): Started[] =>
    all.filter((started) => {
      const [name] = allowed.find(([, row]) => row[what]?.(started) === true) ?? [];
      if (name !== undefined) met.add(name);
      return name === undefined;
    });
  const [hand, server] = aligned(without(byHand, 'leavesOut'), without(byServer, 'adds'));
  for (let at = 0; at < Math.max(hand.length, server.length); at++) {
    const [one, other] = [hand[at], server[at]];
    if (one?.place !== other?.place) {
      const [missing, instead] = [one, other].map((each) => each?.place ?? 'nothing');
      faults.push(`${at}: ${missing} by hand, ${instead} by the server`);
      break;
    }
    faults.push(...differing(one!, other!).map((fault) => `${at}: ${one!.place}: ${fault}`));
  }
  return { faults, met };

  function differing(one: Started, other: Started): string[] {
    const found: string[] = [];
    const note = (what: string, values: readonly (string | undefined)[], by: Difference | undefined) => {
      const [before, after] = values.map((value) => (value === undefined ? undefined : settled(value)));
      if (before === after) return;
      if (by === undefined) found.push(`${what}: ${before} by hand, ${after} by the server`);
      else met.add(by);
    };
    const allows = (accepts: (row: Row) => boolean) => allowed.find(([, row]) => accepts(row))?.[0];
    note('folder', [one.cwd, other.cwd], undefined);
    const byInput = allows(({ input }) => {
      const apart = input?.[one.place];
      return apart !== undefined && one.stdin.replace(apart, '') === other.stdin.replace(apart, '');
    });
    note('stdin', [one.stdin, other.stdin], byInput);
    const byArgs = allows(({ args }) => args?.includes(one.place) === true);
    note('arguments', [JSON.stringify(one.args), JSON.stringify(other.args)], byArgs);
    for (const name of new Set([...Object.keys(one.env), ...Object.keys(other.env)])) {
      const given = other.env[name];
      const byRow = allows(({ variables }) => variables?.[generic(name)]?.(given) === true);
      note(name, [one.env[name], given], byRow);
    }
    return found;
  }
}

/**
 * Returns both without the hooks of an index that one of them alone wrote after a refresh: git does so where a file was
 * written in the second in which the index was, and so by chance.
 */
function aligned(byHand: readonly Started[], byServer: readonly Started[]): [Started[], Started[]] {
  const [hand, server] = [[...byHand], [...byServer]];
  for (let at = 0; at < Math.max(hand.length, server.length); at++) {
    while (hand[at]?.place !== server[at]?.place) {
      const apart = [hand, server].find((list) => isRefresh(list[at]));
      if (apart === undefined) return [hand, server];
      apart.splice(at, 1);
    }
  }
  return [hand, server];
}

function isRefresh(started: Started | undefined): boolean {
  return started?.place === 'hooks/post-index-change' && started.args.every((arg) => arg === '0');
}

/** A variable without the id in its name. */
function generic(name: string): string {
  return name.replace(/^(GITHEAD_)[0-9a-f]{40}$/, '$1*');
}
