import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { showName } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Git } from '../run/git.ts';
import { redact } from '../run/redact.ts';
import type { Setting } from '../run/settings.ts';
import type { Verb } from '../run/verbs.ts';
import { configurationOf, type Found } from './configuration.ts';
import type { What } from './executing.ts';
import { canStayLocal, type Facts, factsOf } from './facts.ts';
import { type HookFiles, hookFilesOf } from './hook-files.ts';
import { type Danger, dangersOf, isRelative, neutralise } from './neutralise.ts';
import { unsupported } from './refusals.ts';
import type { Repository } from './repository.ts';
import { submodulesOf } from './submodules.ts';

/** What git is kept from doing. Its value is its author's text, and never told. */
export interface Suppressed {
  readonly key: string;
  readonly scope: string;
  readonly what: What;
  /** the submodule that says it, by its path from the top */
  readonly submodule?: string;
}

export interface Block {
  readonly by: string;
  readonly trusted: boolean;
}

/** What a repository would execute, and what is given to git so that it does not. */
export interface Audit {
  /** settings for every run of a repository that is not trusted */
  readonly config: readonly Setting[];
  /** the same for a trusted one */
  readonly trustedConfig: readonly Setting[];
  /** where the hooks of a trusted repository are, undefined where they cannot be pinned */
  readonly hooks: string | undefined;
  readonly suppressed: readonly Suppressed[];
  /** those of them that trust lets through */
  readonly grantable: readonly Suppressed[];
  /** verbs that are not asked, with what is in their way and whether trust changes that */
  readonly blocked: Readonly<Partial<Record<Verb, Block>>>;
  /** of all that can execute: trust is given to this */
  readonly hash: string;
  readonly facts: Facts;
  /** what the operator would reach ssh by */
  readonly sshCommand: string | undefined;
}

/** Submodules in submodules beyond this are nobody's work. */
const deepest = 8;
const mostSubmodules = 1_000;

/** What the audit of a repository was made of, to see that nothing of it is new. */
interface Parts {
  readonly settings: readonly Found[];
  readonly hooks: HookFiles;
  readonly inner: readonly (readonly [path: string, audit: Audit])[];
  readonly facts: Facts;
}

const made = new Map<string, { readonly parts: Parts; readonly audit: Audit }>();

/** Looks at what git would execute in a repository, as it is now. */
export function auditOf(git: Git, repository: Repository, signal?: AbortSignal): Promise<Audit> {
  return audit(git, repository, signal, [], { left: mostSubmodules });
}

async function audit(
  git: Git,
  repository: Repository,
  signal: AbortSignal | undefined,
  around: readonly string[],
  count: { left: number },
): Promise<Audit> {
  const { settings } = await configurationOf(git, repository, signal);
  const hooks = hookFilesOf(repository, settings);
  const inner: (readonly [string, Audit])[] = [];
  for (const submodule of await submodulesOf(git, repository, signal)) {
    if (around.length >= deepest || around.includes(submodule.identity) || count.left-- <= 0)
      throw unsupported(
        '.',
        'it has too many submodules in each other',
        'open the submodule by its own path',
      );
    const within = [...around, repository.identity];
    const path = relative(repository.place.workTree!, submodule.place.workTree ?? submodule.place.gitDir);
    inner.push([path, await audit(git, submodule, signal, within, count)]);
  }
  const facts = factsOf(settings, repository);
  if (facts.partial && !canStayLocal(await git.version())) throw tooOld();
  const parts = { settings, hooks, inner, facts };
  const before = made.get(repository.identity);
  if (before !== undefined && isSame(before.parts, parts)) return before.audit;
  const result = judge(parts, repository);
  if (made.size >= 64) made.delete(made.keys().next().value!);
  made.set(repository.identity, { parts, audit: result });
  return result;
}

function isSame(one: Parts, other: Parts): boolean {
  return (
    one.settings === other.settings &&
    one.hooks === other.hooks &&
    one.inner.length === other.inner.length &&
    one.inner.every(([path, each], at) => path === other.inner[at]![0] && each === other.inner[at]![1]) &&
    JSON.stringify(one.facts) === JSON.stringify(other.facts)
  );
}

function judge({ settings, hooks, inner, facts }: Parts, repository: Repository): Audit {
  const dangers = dangersOf(settings, repository);
  const within = (pick: (audit: Audit) => readonly Setting[]) => inner.flatMap(([, each]) => pick(each));
  const sshCommand = settings.findLast(
    ({ key, foreign, value }) => key === 'core.sshcommand' && !foreign && !isRelative(value ?? ''),
  )?.value;
  return Object.freeze({
    config: [...within(({ config }) => config), ...neutralise(dangers, settings, false)],
    trustedConfig: [...within(({ trustedConfig }) => trustedConfig), ...neutralise(dangers, settings, true)],
    hooks: hooks.folder,
    suppressed: listed(
      dangers,
      hooks.names,
      inner.map(([path, { suppressed }]) => [path, suppressed]),
    ),
    grantable: grantableOf(dangers, hooks, inner),
    blocked: blockedOf(dangers, hooks),
    hash: hashOf(dangers, hooks, inner),
    facts,
    sshCommand,
  });
}

/** Verbs of git that look for this hook before they have read where hooks are. */
const heedless = [
  ...['remote set-head', 'remote rename', 'remote remove'],
  ...['bisect start', 'bisect good', 'bisect bad', 'bisect skip', 'bisect reset'],
] as const satisfies readonly Verb[];

function blockedOf(dangers: readonly Danger[], { stray, folder }: HookFiles): Audit['blocked'] {
  const blocked: Partial<Record<Verb, Block>> = {};
  for (const { found, setting } of dangers)
    if (setting.blocks !== undefined) blocked[setting.blocks] = { by: found.key, trusted: false };
  if (stray === undefined) return blocked;
  // pinned only where it is one of the hooks that trust lets run
  const block = { by: 'hooks/reference-transaction', trusted: folder === stray };
  for (const verb of heedless) blocked[verb] = block;
  return blocked;
}

function tooOld(): ToolError {
  return new ToolError('this git would fetch the missing objects of a partial clone by itself', {
    code: 'unsupported',
    hint: 'install git 2.45 or newer',
  });
}

/** What trust lets through: no hooks that cannot be pinned, and none of submodules. */
function grantableOf(dangers: readonly Danger[], hooks: HookFiles, inner: Parts['inner']): Suppressed[] {
  const pinned = hooks.folder !== undefined;
  return listed(
    dangers.filter(({ setting: { trusted, what } }) => trusted === true && (pinned || what !== 'hook')),
    pinned ? hooks.names : [],
    inner.map(([path, { grantable }]) => [path, grantable.filter(({ what }) => what !== 'hook')]),
  );
}

/** As results tell it, each once. */
function listed(
  dangers: readonly Danger[],
  hooks: readonly string[],
  inner: readonly (readonly [path: string, suppressed: readonly Suppressed[]])[],
): Suppressed[] {
  const found = new Map<string, Suppressed>();
  const add = (suppressed: Suppressed): void => {
    found.set(JSON.stringify(suppressed), suppressed);
  };
  for (const { found, setting } of dangers)
    add({ key: shown(found.key), scope: found.scope, what: setting.what });
  for (const name of hooks) add({ key: `hooks/${shown(name)}`, scope: 'local', what: 'hook' });
  for (const [path, suppressed] of inner)
    for (const each of suppressed)
      add({
        ...each,
        submodule: each.submodule === undefined ? shown(path) : `${shown(path)}/${each.submodule}`,
      });
  return [...found.values()];
}

/** A key for people: on one line, without credentials of an address in it, and not long. */
function shown(key: string): string {
  const text = redact(showName(Buffer.from(key, 'latin1').toString()));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function hashOf(dangers: readonly Danger[], hooks: HookFiles, inner: Parts['inner']): string {
  const hash = createHash('sha256');
  const settings = dangers.map(({ found: { scope, key, value } }) => [scope, key, value ?? null]);
  const submodules = inner.map(([path, audit]) => [path, audit.hash]);
  return hash.update(JSON.stringify([settings, hooks.hash, submodules])).digest('hex');
}
