import { join } from 'node:path';
import { readSmall } from '@rootbound/kit/boundary';
import { parseConfig, type Setting } from './config-text.ts';
import { configText } from './config-writing.ts';
import type { LocalSetting } from './local-config.ts';
import { namedFilesOf } from './named-files.ts';
import { isNotFound } from './refusals.ts';
import type { Repository } from './repository.ts';

/** The configuration files that git reads in the place of its own. */
export interface Given {
  /** of the repository */
  readonly config: string;
  /** of the operator; undefined where git reads the operator's own */
  readonly operator?: string | undefined;
  /** settings of the repository that are given besides those of the list: their files are in the work tree */
  readonly files?: readonly LocalSetting[];
}

/** Returns the configuration for git in a repository that is not trusted. */
export function givenTo(repository: Repository, operator: string | undefined): Given {
  const files = namedFilesOf(repository);
  const settings = [...obeyedBy(repository), ...files.map(({ given }) => given), ...unvisited(repository)];
  return { config: configText(settings), operator, files: files.map(({ setting }) => setting) };
}

/** Returns the settings of a repository that git may use without trust. */
export function obeyedBy({ settings }: Pick<Repository, 'settings'>): Setting[] {
  return settings.obeyed.map(({ key, value }) => [key, value] as const);
}

const mostBytes = 1 << 20;

/**
 * Returns the settings that keep git from looking into the declared submodules: the server looks into each by itself,
 * under that one's own rules.
 */
function unvisited(repository: Repository): Setting[] {
  return [...declaredIn(repository)].map(([name, { ignore }]) => {
    return [`submodule.${name}.ignore`, ignore === 'all' ? 'all' : 'dirty'];
  });
}

/** The settings of one submodule, as byte strings. */
export interface Declared {
  readonly path: string | undefined;
  /** the changes that a status ignores, as in gitmodules(5) */
  readonly ignore: string | undefined;
}

/** Returns the declarations of submodules in .gitmodules and the permitted settings, by their names. */
export function declaredIn(repository: Repository): Map<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const [key, value] of [...(parseConfig(modulesOf(repository)) ?? []), ...obeyedBy(repository)]) {
    const [, name, leaf] = /^submodule\.([^\0]{1,4000})\.([a-z]+)$/.exec(key) ?? [];
    if (name === undefined) continue;
    const before = declared.get(name) ?? { path: undefined, ignore: undefined };
    const read = leaf === 'path' || leaf === 'ignore' ? { [leaf]: value } : {};
    declared.set(name, { ...before, ...read });
  }
  return declared;
}

function modulesOf({ place, opened: { roots } }: Repository): string {
  if (place.workTree === undefined) return '';
  try {
    return readSmall(roots, join(place.workTree, '.gitmodules'), mostBytes)?.bytes.toString('latin1') ?? '';
  } catch (error) {
    // git reads it from no other place that has submodules with files
    if (isNotFound(error)) return '';
    throw error;
  }
}
