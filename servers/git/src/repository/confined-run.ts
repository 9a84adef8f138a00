import { join } from 'node:path';
import { readSmall, replaceFile } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { command } from '../run/command.ts';
import type { Git } from '../run/git.ts';
import { type RefName, refName } from '../run/operand.ts';
import { run } from '../run/run.ts';
import { type Rule, type Verb, verbs } from '../run/verbs.ts';
import type { Place } from '../run/work-place.ts';
import { parseConfig } from './config-text.ts';
import { type ConfigChange, changesBetween } from './config-writing.ts';
import type { Given } from './given.ts';
import { linksOf, makePrivateDir, type PrivateDir, readingPlace } from './private-dir.ts';
import type { Repository } from './repository.ts';

/** A repository that is not trusted, for the runs of a call. */
export interface Confined {
  readonly git: Git;
  readonly repository: Repository;
  /** the settings for git's next run: after a run that wrote settings, the written ones */
  given: Given;
}

/**
 * Runs a verb that writes in a repository that is not trusted, and carries over what git wrote into its private common
 * directory: settings, one change after the other under git's own lock, and the branch of another work tree that was
 * renamed. Changes that the run made before it failed are carried over, too.
 */
export async function runConfined<T>(
  confined: Confined,
  verb: Verb,
  start: (place: Place) => Promise<T>,
): Promise<T> {
  const rule: Rule = verbs[verb];
  const dir = makePrivateDir(confined.repository, confined.given, { heads: rule.heads, made: rule.makes });
  try {
    return await carrying(start(dir.place), () => carryOver(confined, rule, dir));
  } finally {
    dir.remove();
  }
}

async function carryOver(confined: Confined, rule: Rule, dir: PrivateDir): Promise<void> {
  const { git, repository } = confined;
  const after = dir.read();
  dir.carryShallow();
  if (rule.makes.includes('worktrees')) await mendLinks(repository, dir.place.commonDir!);
  if (after.head !== dir.before.head) await moveHead(git, repository, dir.before, after.head);
  if (after.config === dir.before.config) return;
  const settings = [dir.before.config, after.config].map((text) => parseConfig(text) ?? []);
  for (const change of changesBetween(settings[0]!, settings[1]!)) await apply(git, repository, change);
  confined.given = { ...confined.given, config: after.config };
}

/** Waits for a run, and carries over its changes also where it failed. */
async function carrying<T>(run: Promise<T>, carry: () => Promise<void>): Promise<T> {
  try {
    return await run;
  } finally {
    await carry();
  }
}

/** Points the work trees that git has connected with the private directory to the repository. */
async function mendLinks({ commonDir, opened: { roots } }: Repository, own: string): Promise<void> {
  for (const file of linksOf(commonDir)) {
    const text = readSmall(roots, file, MOST_LINK)?.bytes.toString();
    if (text?.startsWith(`gitdir: ${own}/`) !== true) continue;
    const mended = `gitdir: ${commonDir}${text.slice(`gitdir: ${own}`.length)}`;
    await replaceFile(roots, file, Buffer.from(mended), {});
  }
}

const MOST_LINK = 64 << 10;

async function moveHead(git: Git, repository: Repository, given: Given, head: string): Promise<void> {
  const target = /^ref: (refs\/heads\/[^\n]{1,1000})\n?$/.exec(Buffer.from(head, 'latin1').toString())?.[1];
  if (target === undefined) return;
  const place = {
    ...readingPlace(repository, given),
    gitDir: repository.commonDir,
    workTree: undefined,
  };
  await run(git, command('symbolic-ref HEAD', { names: [refName(target)] }), { place });
}

/** git exits so where there is no such section or key: another program was faster */
const gone = [0, 5, 128];

async function apply(git: Git, { commonDir }: Repository, change: ConfigChange): Promise<void> {
  const options = { '--file': join(commonDir, 'config') };
  const ask = (verb: Verb & `config --${string}`, ...names: readonly string[]) =>
    run(git, command(verb, { options, names: names.map(argument) } as Parameters<typeof command>[1]), {
      okay: verb === 'config --add' ? [0] : gone,
    });
  if (change.kind === 'add') await ask('config --add', change.key, change.value);
  else if (change.kind === 'unset-all') await ask('config --unset-all', change.key);
  else if (change.kind === 'remove-section') await ask('config --remove-section', change.section);
  else await ask('config --rename-section', change.from, change.to);
}

/** Returns a key or a value as git's argument after `--`. */
function argument(bytes: string): RefName {
  const text = Buffer.from(bytes, 'latin1').toString();
  if (Buffer.from(text).toString('latin1') === bytes) return text as string as RefName;
  throw new ToolError('a setting that git has written is not UTF-8, and was not kept', {
    code: 'unsupported',
    hint: 'rename the branch or the remote',
  });
}
