import { ToolError } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { auditOf } from '../../src/repository/audit.ts';
import { readingPlace } from '../../src/repository/private-dir.ts';
import { command } from '../../src/run/command.ts';
import { environmentOf } from '../../src/run/environment.ts';
import { verbs } from '../../src/run/verbs.ts';
import { cleanEnvironment } from '../scratch.ts';
import { full, sampled } from '../seeds.ts';
import { everything, verbsOf } from './everything.ts';
import { type Firing, hostile, type Site, type Vector } from './hostile.ts';
import { opened } from './open-trusted.ts';
import { openedAs } from './running.ts';
import { vectors } from './vectors.ts';

const openedAt = ({ folder, repository, home }: Site) => opened(folder, repository, home);
const { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME, GIT_COMMITTER_EMAIL } = cleanEnvironment();
const identity = { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME, GIT_COMMITTER_EMAIL } as Record<
  string,
  string
>;
const folders = { ...identity, GIT_ALLOW_PROTOCOL: 'file:https:ssh' };

/** Of the sweep, where there is no time for all: what reads the index, and what fires in plain git. */
function likely({ fires }: Vector): ReadonlySet<string> {
  const words = fires.flatMap((firing) => ('args' in firing ? firing.args : firing));
  return new Set(['status', 'diff', ...words]);
}

const reachesRemotes = /uploadpack|receivepack|promised|helper|insteadOf|vcs/i;
/** Each so many vectors meet likely commands in `npm test`, and remotes in the full run. */
const EVERY = full ? 3 : 9;
/** Each so many meet every command in a full run, others in the next one; all others meet likely commands. */
const SWEPT = 9;
const turn = Number(process.env.ROOTBOUND_SEED ?? Date.now() % 1000);

/** The commands after which the payload had run. */
async function sweep(
  site: Site,
  environment: Record<string, string>,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const fired: string[] = [];
  const { git, repository } = openedAt(site);
  // one audit for all: what a switch of branches lets in has to be known before
  const here = await openedAs('untrusted', git, repository);
  for (const command of everything(site)) {
    if (only !== undefined && !only.has(command.verb)) continue;
    try {
      await here.run(command, { environment });
    } catch (error) {
      // that it failed is no matter here, as long as it failed in peace
      expect(error).toBeInstanceOf(ToolError);
    }
    if (site.fired()) fired.push(command.args.join(' '));
  }
  return fired;
}

describe.each(
  sampled(
    vectors.map((vector, index) => [vector.name, vector, index] as const),
    3,
  ),
)('%s', (_, vector, index) => {
  test('is told by its key and never by its value', async () => {
    const site = hostile(vector);
    const { git, repository } = openedAt(site);
    const { suppressed } = await auditOf(git, repository);
    const keys = suppressed.map(({ key }) => key);
    expect(vector.listed.filter((key) => !keys.includes(key))).toEqual([]);
    expect(JSON.stringify(suppressed.filter(({ key }) => !key.startsWith('url.')))).not.toContain(
      site.payload,
    );
  });

  if (full || index % EVERY === 0)
    test('never runs it in any verb of ours', async () => {
      const only = full && (index + turn) % SWEPT === 0 ? undefined : likely(vector);
      expect(await sweep(hostile(vector), identity, only)).toEqual([]);
    });

  // the full run has time for what follows
  if (!full) return;

  test('runs its payload in plain git', () => {
    const site = hostile(vector);
    const silent: Firing[] = [];
    for (const firing of vector.fires) {
      site.plain(firing);
      if (!site.fired()) silent.push(firing);
      site.reset();
    }
    expect(silent).toEqual([]);
  });

  if (reachesRemotes.test(vector.name) && index % EVERY === 0)
    test('never runs it where the operator lets folders be remotes', async () => {
      expect(await sweep(hostile(vector), folders)).toEqual([]);
    });

  // what the environment and the command line stop needs no configuration
  if (vector.stoppedBy === 'executor') return;
  test('is stopped by a common directory of the server, and by nothing else', async () => {
    const site = hostile(vector);
    const fired: Firing[] = [];
    for (const firing of vector.fires) {
      const { git, repository } = openedAt(site);
      const { given } = await auditOf(git, repository);
      const asked = command('status');
      site.plain(firing, [], environmentOf(git, asked, readingPlace(repository, given), {}));
      if (site.fired()) fired.push(firing);
      site.reset();
    }
    expect(fired).toEqual([]);
  });
});

test('the sweep goes through every verb', () => {
  const site = hostile({
    name: 'none',
    plant: () => undefined,
    fires: [],
    stoppedBy: 'executor',
    listed: [],
  });
  const swept = verbsOf(everything(site));
  expect(Object.keys(verbs).filter((verb) => !swept.has(verb as never))).toEqual([]);
});
