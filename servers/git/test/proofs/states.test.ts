import { isUtf8 } from 'node:buffer';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { bytesOfName, nameOf } from '../../src/porcelain/names.ts';
import { call, Served } from '../harness.ts';
import { random } from '../porcelain/random.ts';
import { cleanEnvironment, scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { beginning, change, type Step, steps } from './changing.ts';
import { History, type Operation, operations } from './history.ts';

/** How many repositories, and how many states each goes through. */
const histories = full ? { repositories: 4, states: 120 } : { repositories: 2, states: 60 };
const workTrees = full ? { repositories: 4, states: 60 } : { repositories: 2, states: 25 };
const AT_ONCE = 3;
/** How often each kind of change has to be met. */
const ENOUGH = full ? 5 : 1;

const served = new Served();
const { folder, git } = scratch();

/** A client for whom no result is too large. */
const connected = (): Promise<Client> => served.client([folder], { maxOutput: 64 << 20 });

function repository(name: string, stream: Buffer): string {
  const path = join(folder, name);
  mkdirSync(path);
  git(path, 'init', '-q');
  git(path, 'fast-import', '--quiet', '--done', { input: stream });
  return path;
}

/** The output of git, while other states are inspected. */
function ask(cwd: string, args: readonly string[], input: Buffer | string = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const env = { ...cleanEnvironment(), GIT_OPTIONAL_LOCKS: '0' };
    const options = { cwd, env, encoding: 'buffer', maxBuffer: 1 << 30 } as const;
    const child = execFile('git', args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
    child.stdin!.on('error', () => undefined).end(input);
  });
}

async function inLanes(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

interface DiffFacts {
  readonly files: readonly { path: string; change: string; from?: string; mode?: string }[];
  readonly patch?: string;
  readonly truncated: boolean;
}

const words: Readonly<Record<string, string>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type-changed',
  U: 'unmerged',
};

/** The records of `--raw -z`, as the tool lists them. */
function listed(raw: Buffer): DiffFacts['files'] {
  const tokens = raw.toString('latin1').split('\0').slice(0, -1);
  const name = (token: string | undefined) => nameOf(Buffer.from(token!, 'latin1'));
  const files: { path: string; change: string; from?: string; mode?: string }[] = [];
  while (tokens.length > 0) {
    const [before, after, , , letters = ''] = tokens.shift()!.slice(1).split(' ');
    const from = letters.startsWith('R') ? { from: name(tokens.shift()) } : {};
    const moded = before !== after && before !== '000000' && after !== '000000';
    files.push({
      path: name(tokens.shift()),
      change: words[letters[0]!]!,
      ...from,
      ...(moded && { mode: `${before} -> ${after}` }),
    });
  }
  return files;
}

/** The bytes of a patch as a text that has room for them all: each line that is no UTF-8 by its bytes. */
function reported(patch: Buffer): string {
  if (isUtf8(patch)) return patch.toString();
  const lines = patch.toString('latin1').split(/(?<=\n)/);
  return lines
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => line.toString(isUtf8(line) ? 'utf8' : 'latin1'))
    .join('');
}

const plain = ({ files }: DiffFacts) =>
  files.map(({ path, change: kind, from, mode }) => ({
    path,
    change: kind,
    ...(from !== undefined && { from }),
    ...(mode !== undefined && { mode }),
  }));

test('each commit of many histories differs from the one before as git says, byte for byte', {
  timeout: 600_000,
}, async () => {
  const client = await connected();
  const counts = new Map<Operation, number>();
  await inLanes(histories.repositories, async (index) => {
    const { repositories: _, states } = histories;
    const history = new History(random(index + 1), states);
    for (const [kind, count] of history.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    const path = repository(`history-${index}`, history.stream);
    const commits = (await ask(path, ['rev-list', '--reverse', 'main'])).toString().trim().split('\n');
    // one git for all of them
    const pairs = commits.slice(1);
    const trees = ['diff-tree', '--stdin', '-r', '-z', '--find-renames', '--full-index', '--no-abbrev'];
    const input = `${pairs.join('\n')}\n`;
    const [raw, patches] = await Promise.all([
      ask(path, [...trees, '--raw'], input),
      ask(path, ['-c', 'diff.renames=true', ...trees.filter((arg) => arg !== '-z'), '--patch'], input),
    ]);
    const ofEach = (bytes: Buffer, end: string) => parts(bytes, pairs, end);
    const [raws, texts] = [ofEach(raw, '\0'), ofEach(patches, '\n')];
    for (const [at, commit] of pairs.entries()) {
      const target = `${commits[at]}..${commit}`;
      const { facts } = await call<DiffFacts>(client, 'git_diff', { repo_path: path, target });
      expect([target, plain(facts), facts.patch ?? '', facts.truncated]).toEqual([
        target,
        listed(raws[at]!),
        reported(texts[at]!),
        false,
      ]);
    }
  });
  expect(operations.filter((kind) => (counts.get(kind) ?? 0) < ENOUGH)).toEqual([]);
});

/**
 * The content behind the name of each commit: no content can contain those names. A commit that changes nothing is not
 * named.
 */
function parts(bytes: Buffer, commits: readonly string[], end: string): Buffer[] {
  let until = bytes.length;
  return commits
    .toReversed()
    .map((commit) => {
      const found = bytes.subarray(0, until).lastIndexOf(commit + end, undefined, 'latin1');
      if (found < 0) return Buffer.alloc(0);
      const part = bytes.subarray(found + commit.length + 1, until);
      until = found;
      return part;
    })
    .reverse();
}

interface StatusFacts {
  readonly entries: readonly {
    path: string;
    kind: string;
    index?: string;
    worktree?: string;
    from?: string;
    conflict?: string;
  }[];
  readonly truncated: boolean;
}

const conflicts: Readonly<Record<string, string>> = {
  'both-deleted': 'DD',
  'added-by-us': 'AU',
  'deleted-by-them': 'UD',
  'added-by-them': 'UA',
  'deleted-by-us': 'DU',
  'both-added': 'AA',
  'both-modified': 'UU',
};

/** A status in the records of `--porcelain=v1 -z`, in the order of their bytes. */
function records({ entries }: StatusFacts): string[] {
  const bytes = (name: string) => bytesOfName(name).toString('latin1');
  return entries
    .map(({ path, kind, index = ' ', worktree = ' ', from, conflict }) => {
      const letters = kind === 'untracked' ? '??' : kind === 'ignored' ? '!!' : index + worktree;
      const xy = conflict === undefined ? letters : conflicts[conflict];
      return `${xy} ${bytes(path)}\0${from === undefined ? '' : `${bytes(from)}\0`}`;
    })
    .sort();
}

function recordsOf(printed: Buffer): string[] {
  const tokens = printed.toString('latin1').split('\0').slice(0, -1);
  const found: string[] = [];
  while (tokens.length > 0) {
    const token = tokens.shift()!;
    found.push(`${token}\0${/^(?:R|.R)/.test(token) ? `${tokens.shift()}\0` : ''}`);
  }
  return found.sort();
}

test('many work trees and indexes stand as git says, and their patches are its own', {
  timeout: 600_000,
}, async () => {
  const client = await connected();
  const counts = new Map<Step, number>();
  await inLanes(workTrees.repositories, async (number) => {
    const path = repository(`tree-${number}`, beginning);
    await ask(path, ['reset', '--hard', '-q']);
    const next = random(1000 + number);
    for (let state = 0; state < workTrees.states; state++) {
      const index = change(path, next, counts);
      if (index !== '') {
        const apply = ['update-index', '--replace', '-z', '--index-info'];
        await ask(path, apply, Buffer.from(index, 'latin1'));
      }
      const where = `repository ${number}, state ${state}`;
      const untracked = state % 2 === 0 ? 'all' : 'folders';
      const staged = state % 2 === 1;
      const sides = [...(staged ? ['--cached'] : []), '--diff-filter=u'];
      const status = ['status', '--porcelain=v1', '-z', '--find-renames', '--ignored=traditional'];
      const [theirs, patch, ours, diff] = await Promise.all([
        ask(path, [...status, `--untracked-files=${untracked === 'all' ? 'all' : 'normal'}`]),
        ask(path, ['diff', '--full-index', '--find-renames', ...sides]),
        call<StatusFacts>(client, 'git_status', { repo_path: path, untracked, ignored: true }),
        call<DiffFacts>(client, 'git_diff', { repo_path: path, staged }),
      ]);
      expect([where, records(ours.facts)]).toEqual([where, recordsOf(theirs)]);
      expect([where, diff.facts.patch ?? '', diff.facts.truncated]).toEqual([where, reported(patch), false]);
    }
  });
  expect(steps.filter((kind) => (counts.get(kind) ?? 0) < ENOUGH)).toEqual([]);
});
