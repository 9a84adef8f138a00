import { join } from 'node:path';
import { textOfBytes } from '@rootbound/kit/boundary';
import { LruMap } from '@rootbound/kit/primitives';
import { treatmentOf } from './config-rules.ts';
import { parseConfig } from './config-text.ts';
import { contentOf } from './pointers.ts';
import { type Look, malformed } from './refusals.ts';

/** One setting in a repository's own files, in byte strings. */
export interface LocalSetting {
  readonly key: string;
  readonly value: string | undefined;
  readonly scope: 'local' | 'worktree';
}

/** The settings in a repository's own files, without their includes. */
export interface LocalConfig {
  /** those that git may use without trust, in their order */
  readonly obeyed: readonly LocalSetting[];
  /** those that it may not: git receives none of them */
  readonly ignored: readonly LocalSetting[];
  readonly bare: boolean;
  /** `core.worktree` as written, and the file that contains it */
  readonly workTree: { readonly written: string; readonly file: string } | undefined;
}

/** By the paths of the files; a repository that is opened often is parsed once for each text of them. */
const parsed = new LruMap<string, { readonly texts: readonly string[]; readonly config: LocalConfig }>(64);

/**
 * Reads the settings of a repository from its own two files, as git does at its start. A work tree's own settings count
 * where `extensions.worktreeConfig` is on, and replace `core.bare` and `core.worktree` of the main work tree.
 */
export function readLocalConfig(look: Look, gitDir: string, commonDir: string): LocalConfig {
  const files = [join(commonDir, 'config'), join(gitDir, 'config.worktree')] as const;
  const texts = files.map((file) => contentOf(look, file)?.toString('latin1') ?? '');
  const key = files.join('\0');
  const before = parsed.get(key);
  if (before?.texts.every((text, at) => text === texts[at])) return before.config;
  const config = parse(look, files, texts, gitDir !== commonDir);
  parsed.set(key, { texts, config });
  return config;
}

function parse(
  look: Look,
  files: readonly [shared: string, own: string],
  texts: readonly string[],
  linked: boolean,
): LocalConfig {
  const [shared, own] = files.map((file, at) => {
    const settings = parseConfig(texts[at]!);
    if (settings === undefined) throw malformed(look, file, 'is not a configuration that git reads');
    return settings.map(([key, value]) => ({ key, value, scope: at === 0 ? 'local' : 'worktree' }) as const);
  }) as [LocalSetting[], LocalSetting[]];
  const perWorktree = isTrue(last(shared, 'extensions.worktreeconfig'));
  const all = perWorktree ? [...shared, ...own] : shared;
  // the main work tree's settings say nothing about a linked one, unless each has its own
  const ofPlace = linked && !perWorktree ? [] : all;
  const written = last(ofPlace, 'core.worktree')?.value;
  const file =
    ofPlace.findLast(({ key }) => key === 'core.worktree')?.scope === 'worktree' ? files[1] : files[0];
  const treated = all.map((setting) => ({ setting, treatment: treatmentOf(setting.key, setting.value) }));
  const having = (wanted: string) =>
    treated.flatMap(({ setting, treatment }) =>
      treatment === wanted && !answered.has(setting.key) ? [setting] : [],
    );
  return Object.freeze({
    obeyed: having('obeyed'),
    ignored: having('ignored'),
    bare: isTrue(last(ofPlace, 'core.bare')),
    workTree:
      written === undefined ? undefined : { written: textOfBytes(Buffer.from(written, 'latin1')), file },
  });
}

/** Settings that the server sets for each run, so that git does not read them from the repository. */
const answered = new Set(['core.worktree', 'extensions.worktreeconfig']);

function last(settings: readonly LocalSetting[], wanted: string): LocalSetting | undefined {
  return settings.findLast(({ key }) => key === wanted);
}

function isTrue(setting: LocalSetting | undefined): boolean {
  if (setting === undefined) return false;
  return (
    setting.value === undefined || /^(?:true|yes|on|[-+]?0{0,20}[1-9]\d{0,20}[kmg]?)$/i.test(setting.value)
  );
}
