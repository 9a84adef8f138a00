import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { call } from '../harness.ts';
import { cleanEnvironment, scratch } from '../scratch.ts';
import { full } from '../seeds.ts';
import { bundleServer, start } from './program.ts';

/** How often each writer stages, commits and makes a branch. */
const times = full ? 6 : 4;

/** The writes that one writer has recorded as done. */
interface Done {
  readonly commits: string[];
  readonly branches: string[];
  readonly files: string[];
  /** commits that were to stand on a certain one, with that one */
  readonly onTop: [commit: string, expected: string][];
  /** commits that landed and were told as not where they should be: another writer came in between */
  readonly overtaken: string[];
  /** a code, or what was said where the code says too little */
  readonly refused: string[];
}

const refusals = new Set<string | undefined>(['locked', 'moved', 'changed']);

const { folder, git, write } = scratch();
const ends: (() => Promise<unknown>)[] = [];
let program: string;
let count = 0;

beforeAll(async () => {
  program = await bundleServer(folder);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function repository(): string {
  const path = join(folder, `${count++}`);
  write(join(path.slice(folder.length + 1), 'a'), 'one\n');
  git(path, 'init', '-q');
  git(path, 'config', 'user.name', 'Ann Example');
  git(path, 'config', 'user.email', 'ann@example.org');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'first');
  return path;
}

async function server(path: string): Promise<Client> {
  const client = await start({ program, args: [path] });
  ends.push(() => client.close());
  return client;
}

const nothing = (): Done => ({ commits: [], branches: [], files: [], onTop: [], overtaken: [], refused: [] });

/** A writer through a server. */
async function throughServer(client: Client, path: string, who: string): Promise<Done> {
  const done = nothing();
  const attempt = async (tool: string, args: object, landed: (facts: { after?: string }) => void) => {
    const { failed, code, text, facts } = await call<{ after?: string }>(client, tool, { ...args });
    if (!failed) landed(facts);
    else if (tool === 'git_commit' && code === 'changed') done.overtaken.push(text);
    else done.refused.push(refusals.has(code) ? code! : `${tool} ${code}: ${text}`);
  };
  for (let turn = 0; turn < times; turn++) {
    const file = `${who}-${turn}`;
    write(join(path.slice(folder.length + 1), file), file);
    await attempt('git_add', { files: [file] }, () => done.files.push(file));
    const { facts } = await call<{ commit: string }>(client, 'git_status', { untracked: 'none' });
    const expected = turn % 2 === 0 ? { expected_head: facts.commit } : {};
    await attempt('git_commit', { message: file, allow_empty: true, ...expected }, ({ after }) => {
      done.commits.push(after!);
      if (turn % 2 === 0) done.onTop.push([after!, facts.commit]);
    });
    await attempt('git_create_branch', { branch_name: `${file}-branch` }, () =>
      done.branches.push(`${file}-branch`),
    );
  }
  return done;
}

/** A writer that is git itself, which does not wait for locks. */
async function byHand(path: string): Promise<Done> {
  const done = nothing();
  const attempt = async (args: string[], landed: () => void) => {
    const printed = await new Promise<string | undefined>((resolve) => {
      execFile('git', args, { cwd: path, env: cleanEnvironment() }, (error, _out, stderr) =>
        resolve(error === null ? undefined : stderr),
      );
    });
    if (printed === undefined) landed();
    else
      done.refused.push(
        /\.lock'|cannot lock ref|due to empty commit message/.test(printed) ? 'locked' : printed,
      );
  };
  for (let turn = 0; turn < times; turn++) {
    const file = `hand-${turn}`;
    write(join(path.slice(folder.length + 1), file), file);
    await attempt(['add', file], () => done.files.push(file));
    await attempt(['commit', '-qm', file, '--allow-empty'], () => done.commits.push(file));
    await attempt(['branch', `${file}-branch`], () => done.branches.push(`${file}-branch`));
  }
  return done;
}

const linesOf = (path: string, ...args: string[]): string[] =>
  git(path, ...args)
    .toString()
    .split('\n')
    .filter(Boolean);

/** Whatever a writer was told is there, and nothing besides. */
function verify(path: string, all: readonly Done[]): void {
  git(path, 'fsck', '--full', '--strict');
  expect(all.flatMap(({ refused }) => refused).filter((code) => !refusals.has(code))).toEqual([]);
  const landed = all.flatMap(({ commits, overtaken }) => [...commits, ...overtaken]);
  expect(linesOf(path, 'rev-list', 'HEAD')).toHaveLength(1 + landed.length);
  expect(linesOf(path, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/*-branch')).toEqual(
    all.flatMap(({ branches }) => branches).sort(),
  );
  const staged = new Set(linesOf(path, 'ls-files'));
  expect(all.flatMap(({ files }) => files).filter((file) => !staged.has(file))).toEqual([]);
  for (const [commit, expected] of all.flatMap(({ onTop }) => onTop))
    expect(linesOf(path, 'rev-parse', `${commit}^`)).toEqual([expected]);
}

test('two servers that write at once lose nothing, and say what they refuse', async () => {
  const path = repository();
  const clients = await Promise.all([server(path), server(path)]);
  const all = await Promise.all(clients.map((client, at) => throughServer(client, path, `server${at}`)));
  verify(path, all);
  const logged = new Set(linesOf(path, 'rev-list', 'HEAD'));
  expect(all.flatMap(({ commits }) => commits).filter((commit) => !logged.has(commit))).toEqual([]);
});

test('a server beside git at the command line loses nothing of either', async () => {
  const path = repository();
  const client = await server(path);
  verify(path, await Promise.all([throughServer(client, path, 'server'), byHand(path)]));
});
