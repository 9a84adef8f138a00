import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve, sep } from 'node:path';
import { textOfBytes } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { treatmentOf } from './config-rules.ts';
import { parseConfig } from './config-text.ts';
import type { LocalSetting } from './local-config.ts';
import { contentOf } from './pointers.ts';
import type { Repository } from './repository.ts';

/** The settings in included files, whether or not their conditions hold now. */
export interface Included {
  /** those that a trusted repository may use and others may not */
  readonly ignored: readonly LocalSetting[];
  /** one line for each file, which changes when the file changes or is deleted */
  readonly states: readonly string[];
}

/** Levels of includes that git follows. */
const mostDeep = 10;
const mostFiles = 200;

/** Reads the files that the settings of a repository include: git does so in a trusted repository alone. */
export function includedBy(repository: Repository): Included {
  const found = { ignored: [] as LocalSetting[], states: [] as string[] };
  const { commonDir, place, settings } = repository;
  for (const each of settings.ignored) {
    const folder = each.scope === 'worktree' ? place.gitDir : commonDir;
    follow(repository, each, toBytes(`${folder}${sep}config`), 1, found);
  }
  return found;
}

function follow(
  repository: Repository,
  { key, value, scope }: LocalSetting,
  file: string,
  depth: number,
  found: { ignored: LocalSetting[]; states: string[] },
): void {
  const includes = key === 'include.path' || (key.startsWith('includeif.') && key.endsWith('.path'));
  if (!includes || value === undefined || depth > mostDeep || found.states.length >= mostFiles) return;
  const path = value.startsWith('~/') ? toBytes(homedir()) + value.slice(1) : resolve(dirname(file), value);
  const text = textOf(repository, path);
  found.states.push(`${path} ${text === undefined ? stateOf(path) : 'inside'}`);
  for (const [inner, included] of parseConfig(text ?? '') ?? []) {
    const setting = { key: inner, value: included, scope };
    if (treatmentOf(inner, included) !== 'irrelevant') found.ignored.push(setting);
    follow(repository, setting, path, depth + 1, found);
  }
}

/** Returns the text of a file inside the boundary; undefined for one that is missing or outside. */
function textOf({ reach }: Repository, path: string): string | undefined {
  try {
    const look = { scope: reach, displayPath: '.git/config' };
    return contentOf(look, textOfBytes(Buffer.from(path, 'latin1')))?.toString('latin1');
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** a file outside is not read, but trust ends when it changes */
function stateOf(path: string): string {
  try {
    const stat = statSync(Buffer.from(path, 'latin1'), { bigint: true, throwIfNoEntry: false });
    return stat === undefined
      ? 'missing'
      : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  } catch {
    // a loop, or a folder that cannot be entered: git reads nothing there either
    return 'missing';
  }
}

function toBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}
