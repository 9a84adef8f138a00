import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { relative } from 'node:path';
import { showName } from '@rootbound/kit/boundary';
import { LruMap } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Git } from '../run/git.ts';
import { redact } from '../run/redact.ts';
import { isProgram, isRelative, type What, whatOf, whatOfFile } from './executing.ts';
import { canStayLocal, type Facts, factsOf } from './facts.ts';
import { type Given, givenTo } from './given.ts';
import { type HookFiles, type HooksPath, hookFilesOf } from './hook-files.ts';
import { type Included, includedBy } from './includes.ts';
import type { LocalSetting } from './local-config.ts';
import { type OperatorConfig, operatorConfigOf } from './operator-config.ts';
import { unsupported } from './refusals.ts';
import type { Repository } from './repository.ts';
import { submodulesOf } from './submodules.ts';

/** A setting or file that git is kept from. Its value is its author's text, and never part of a result. */
export interface Suppressed {
  readonly key: string;
  readonly scope: string;
  readonly what: What;
  /** the submodule that has it, by its path from the top */
  readonly submodule?: string;
}

/** The programs that a repository would execute, and the settings with which git does not. */
export interface Audit {
  /** for every run in a repository that is not trusted */
  readonly given: Given;
  /** settings that only a trusted repository may use */
  readonly suppressed: readonly Suppressed[];
  /** those of them that are filters without a program of the operator, as byte strings */
  readonly filters: ReadonlySet<string>;
  /** everything that can execute, a text for each setting, file, folder of hooks and submodule */
  readonly programs: readonly string[];
  /** a digest of them: trust is given to this */
  readonly hash: string;
  readonly hooks: HookFiles;
  readonly facts: Facts;
  readonly submodules: readonly Inner[];
  /** the operator's program for ssh */
  readonly sshCommand: string | undefined;
}

/** A submodule that is checked out. */
export interface Inner {
  /** its path from the top of the superproject */
  readonly path: string;
  readonly repository: Repository;
  readonly audit: Audit;
}

/** Levels of submodules in submodules that are followed. */
const deepest = 8;
const mostSubmodules = 1_000;

/** The inputs of a repository's audit; the audit holds as long as they are unchanged. */
interface Parts {
  readonly repository: Repository;
  readonly operator: OperatorConfig;
  readonly given: Given;
  readonly hooksPath: HooksPath | undefined;
  readonly hooks: HookFiles;
  readonly included: Included;
  readonly inner: readonly Inner[];
  readonly facts: Facts;
}

const made = new LruMap<string, { readonly parts: Parts; readonly audit: Audit }>(64);

/** Audits the programs that git would execute in a repository, as it is now. */
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
  const operator = await operatorConfigOf(git, repository, signal);
  const given = givenTo(repository, operator.instead);
  const included = includedBy(repository);
  const hooksPath = hooksPathOf(repository, operator, included);
  const hooks = hookFilesOf(repository, hooksPath, homeOf(git));
  const inner: Inner[] = [];
  for (const submodule of await submodulesOf(git, repository, given, signal)) {
    if (around.length >= deepest || around.includes(submodule.identity) || count.left-- <= 0)
      throw unsupported(
        '.',
        'it has too many submodules in each other',
        'open the submodule by its own path',
      );
    const within = [...around, repository.identity];
    const path = relative(repository.place.workTree!, submodule.place.workTree ?? submodule.place.gitDir);
    inner.push({ path, repository: submodule, audit: await audit(git, submodule, signal, within, count) });
  }
  const facts = factsOf(repository);
  if (facts.partial && !canStayLocal(await git.version())) throw tooOld();
  const parts = { repository, operator, given, hooksPath, hooks, included, inner, facts };
  const before = made.get(repository.identity);
  if (before !== undefined && isSame(before.parts, parts)) return before.audit;
  const result = judge(parts);
  made.set(repository.identity, { parts, audit: result });
  return result;
}

function isSame(one: Parts, other: Parts): boolean {
  return (
    one.repository.settings === other.repository.settings &&
    one.repository.passedOver.join() === other.repository.passedOver.join() &&
    one.operator === other.operator &&
    one.hooks === other.hooks &&
    one.given.config === other.given.config &&
    one.inner.length === other.inner.length &&
    one.inner.every(({ path, audit }, at) => {
      return path === other.inner[at]!.path && audit === other.inner[at]!.audit;
    }) &&
    JSON.stringify([one.facts, one.included]) === JSON.stringify([other.facts, other.included])
  );
}

function hooksPathOf(
  { settings }: Repository,
  operator: OperatorConfig,
  included: Included,
): HooksPath | undefined {
  const isPath = ({ key }: { readonly key: string }) => key === 'core.hookspath';
  const own = included.ignored.findLast(isPath) ?? settings.ignored.findLast(isPath);
  if (own !== undefined) return { written: own.value ?? '', scope: own.scope, foreign: true };
  const set = operator.settings.findLast(isPath);
  return set === undefined ? undefined : { written: set.value ?? '', scope: set.scope, foreign: set.foreign };
}

function judge({ repository, operator, given, hooksPath, hooks, included, inner, facts }: Parts): Audit {
  const ignored = [...repository.settings.ignored, ...included.ignored];
  const foreign = operator.settings.filter((each) => each.foreign);
  const withheld = ignored.filter((each) => !given.files?.includes(each));
  const sshCommand = operator.settings.findLast(
    ({ key, value }) => key === 'core.sshcommand' && !isRelative(value ?? ''),
  )?.value;
  const programs = programsOf([...ignored, ...foreign], included, hooks, inner);
  return Object.freeze({
    given,
    suppressed: listed(
      [...withheld, ...foreign, ...ownHooksPath(hooksPath, hooks)],
      filesOf(repository, hooks, hooksPath),
      inner,
    ),
    filters: filtersOff([...ignored, ...foreign], operator),
    programs,
    hash: createHash('sha256').update(JSON.stringify(programs)).digest('hex'),
    hooks,
    facts,
    submodules: inner,
    sshCommand,
  });
}

function tooOld(): ToolError {
  return new ToolError('this git would fetch the missing objects of a partial clone by itself', {
    code: 'unsupported',
    hint: 'install git 2.45 or newer',
  });
}

type Ignored = Pick<LocalSetting, 'key' | 'value'> & { readonly scope: string };

/** Returns the operator's setting of the folder of hooks, where the folder has some. */
function ownHooksPath(set: HooksPath | undefined, { names }: HookFiles): Ignored[] {
  if (set === undefined || set.foreign || names.length === 0) return [];
  return [{ key: 'core.hookspath', value: undefined, scope: set.scope }];
}

/** Returns the findings for results, each once. */
function listed(
  ignored: readonly Ignored[],
  files: readonly Suppressed[],
  inner: readonly Inner[],
): Suppressed[] {
  const found = new Map<string, Suppressed>();
  const add = (suppressed: Suppressed): void => {
    found.set(JSON.stringify(suppressed), suppressed);
  };
  for (const { key, scope } of ignored) add({ key: displayKey(key), scope, what: whatOf(key) });
  for (const each of files) add(each);
  for (const { path, audit } of inner)
    for (const each of audit.suppressed)
      add({
        ...each,
        submodule: each.submodule === undefined ? displayKey(path) : `${displayKey(path)}/${each.submodule}`,
      });
  return [...found.values()];
}

/** Returns the findings that are files: hooks, and what leads outside. */
function filesOf(
  { passedOver }: Repository,
  hooks: HookFiles,
  hooksPath: HooksPath | undefined,
): Suppressed[] {
  const scope = hooks.isOperators && hooksPath !== undefined ? hooksPath.scope : 'local';
  const own = hooks.names.map((name) => ({ key: `hooks/${displayKey(name)}`, scope, what: 'hook' as const }));
  const others = passedOver.flatMap((key) => {
    const what = whatOfFile(key);
    return what === undefined ? [] : [{ key, scope: 'local', what }];
  });
  return [...own, ...others];
}

/** Returns a key for people: one line, without credentials of an address, and not long. */
function displayKey(key: string): string {
  const text = redact(showName(Buffer.from(key, 'latin1').toString()));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** Returns the filters that trust would permit, and for which the operator has no program. */
function filtersOff(ignored: readonly Ignored[], operator: OperatorConfig): Set<string> {
  const nameIn = (key: string): string | undefined =>
    isProgram(key) && key.startsWith('filter.')
      ? key.slice('filter.'.length, key.lastIndexOf('.'))
      : undefined;
  const names = new Set<string>();
  for (const { key } of ignored) {
    const name = nameIn(key);
    if (name !== undefined) names.add(name);
  }
  for (const { key, foreign } of operator.settings) {
    const name = foreign ? undefined : nameIn(key);
    if (name !== undefined) names.delete(name);
  }
  return names;
}

function programsOf(
  ignored: readonly Ignored[],
  included: Included,
  hooks: HookFiles,
  inner: readonly Inner[],
): string[] {
  return [
    ...ignored.map(({ scope, key, value }) => ['setting', scope, key, value ?? null]),
    ...included.states.map((state) => ['include', state]),
    ...(hooks.hash === '' ? [] : [['hooks', hooks.hash]]),
    ...inner.flatMap(({ path, audit }) =>
      audit.programs.length === 0 ? [] : [['submodule', path, audit.hash]],
    ),
  ].map((program) => JSON.stringify(program));
}

function homeOf({ environment }: Git): string {
  return Buffer.from(environment.HOME ?? homedir()).toString('latin1');
}
