import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { afterEach, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { silentRemote } from '../remotes/serving.ts';
import { type Witness, witness } from '../run/fake.ts';
import { type Scratch, scratch } from '../scratch.ts';
import { fakePath } from './recorded.ts';

const served = new Served();
const usualPath = process.env.PATH;
afterEach(() => {
  process.env.PATH = usualPath;
});

interface Scene extends Scratch {
  readonly work: string;
  readonly seen: Witness;
  readonly client: Client;
}

/** A repository, and a server whose gits of one verb, with all that they start, are seen by a witness. */
async function scene(verb: string, before: (made: Scratch, work: string) => void = () => {}): Promise<Scene> {
  const made = scratch();
  const work = join(made.folder, 'root');
  made.write('root/a', `${'a'.repeat(3000)}c\n`.repeat(50));
  made.git(work, 'init', '-q');
  made.git(work, 'config', 'user.name', 'Ann Example');
  made.git(work, 'config', 'user.email', 'ann@example.org');
  made.git(work, 'add', '.');
  made.git(work, 'commit', '-qm', 'first');
  before(made, work);
  const seen = witness(made.folder);
  process.env.PATH = fakePath(
    made.folder,
    `case $1 in ${verb}) ${seen.hello} ;; esac; exec "$git" "$@"`,
  ).PATH;
  const client = await served.client([work], {
    extra: { trust: [work], 'allow-protocol': ['http', 'git', 'file'] },
  });
  return { ...made, work, seen, client };
}

async function cancelled({ client, seen }: Scene, begun: Promise<unknown>, tool: string, args: object) {
  const cancelling = new AbortController();
  const calling = call(client, tool, { ...args }, { signal: cancelling.signal });
  const outcome = expect(calling).rejects.toThrow();
  await begun;
  cancelling.abort();
  await outcome;
  await seen.gone;
}

test('of a clone that is cancelled while the other side is silent, no process is left, nor a part of it', async () => {
  const { address, met } = await silentRemote('http');
  const here = await scene('clone');
  const path = join(here.work, 'new');
  await cancelled(here, met, 'git_clone', { url: `${address}/bare.git`, path });
  expect(existsSync(join(path, '.git'))).toBe(false);
});

test('of a search that is cancelled, no process is left', async () => {
  const here = await scene('grep');
  // of one long line no end is in sight
  const pattern = String.raw`^\(a*\)*\(a*\)*\(a*\)*\1\2\3b$`;
  await cancelled(here, here.seen.begun, 'git_search', { pattern, syntax: 'basic' });
});

test('of a commit that is cancelled in a hook that sleeps, no process is left, and nothing is committed', async () => {
  const here = await scene('commit', ({ folder, write }) => {
    const sleep = `(sleep 1000; :) & : > '${folder}/asleep'; sleep 1000; :`;
    write('root/.git/hooks/pre-commit', `#!/bin/sh\n${sleep}\n`, 0o755);
  });
  const { work, git, folder } = here;
  const head = git(work, 'rev-parse', 'HEAD').toString();
  const asleep = expect.poll(() => existsSync(join(folder, 'asleep')), { timeout: 120_000 }).toBe(true);
  await cancelled(here, asleep, 'git_commit', { message: 'x', allow_empty: true });
  expect([git(work, 'rev-parse', 'HEAD').toString(), existsSync(join(work, '.git/index.lock'))]).toEqual([
    head,
    false,
  ]);
});
