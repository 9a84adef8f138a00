import { join } from 'node:path';
import { locate, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { ConfigEntry } from '../../porcelain/config-list.ts';
import { bytesOfName, isPlainName } from '../../porcelain/names.ts';
import { type SubmoduleFacts, submodulesIn } from '../../reading/state/submodules.ts';
import { isNotFound } from '../../repository/refusals.ts';

/** A submodule that a call is about. */
export interface Chosen {
  readonly facts: SubmoduleFacts;
  readonly path: string;
  /** the path of its work tree, which may not exist yet */
  readonly top: string;
  /** the address in the configuration, which is its author's text; undefined: not initialised */
  readonly url: string | undefined;
  /** whether a git dir of an earlier checkout exists there */
  readonly kept: string | undefined;
  /** the reason for which nothing can be checked out there */
  readonly skipped: string | undefined;
}

export interface Choice {
  readonly entries: readonly ConfigEntry[];
  readonly chosen: readonly Chosen[];
}

/** Returns the submodules at or below some paths, default all; throws for a path that leads to none. */
export async function chosenOf(opened: Opened, paths: readonly string[] | undefined): Promise<Choice> {
  if (opened.repository.place.workTree === undefined) throw noWorkTree();
  const { submodules } = await submodulesIn(opened);
  const entries = await opened.config();
  const wanted = paths?.map((path) => path.replace(/(?<!\/)\/+$/, ''));
  const isAt = (asked: string, { path }: SubmoduleFacts) =>
    asked === '.' || path === asked || path.startsWith(`${asked}/`);
  const missing = wanted?.find((asked) => !submodules.some((each) => isAt(asked, each)));
  if (missing !== undefined) {
    throw new ToolError(`no submodule at ${JSON.stringify(missing)}`, {
      code: 'unknown-path',
      hint: 'git_list with kind submodules lists them',
    });
  }
  const chosen = submodules
    .filter((facts) => wanted?.some((asked) => isAt(asked, facts)) ?? true)
    .map((facts) => toChosen(opened, entries, facts));
  return { entries, chosen };
}

function toChosen({ repository }: Opened, entries: readonly ConfigEntry[], facts: SubmoduleFacts): Chosen {
  const { path, name } = facts;
  const { place, opened, reach } = repository;
  if (!isPlainName(path) || (name !== undefined && !isPlainName(name)))
    throw refused(path, 'its name is not plain UTF-8, and git is not started there');
  const top = join(place.workTree!, path);
  // git would write to the target of the link
  if (locate(opened.roots, top).path !== top) throw refused(path, 'a link is on the way to it');
  // git makes folders of its name
  if (name?.split(/[\\/]/).includes('..') === true) throw refused(path, 'its name leads elsewhere');
  const setting = (leaf: string) => {
    const key = `submodule.${name === undefined ? '' : bytesOfName(name).toString('latin1')}.${leaf}`;
    const value = entries.findLast((entry) => entry.key === key)?.value;
    return value === undefined ? undefined : Buffer.from(value, 'latin1').toString();
  };
  const url = name === undefined ? undefined : setting('url');
  const gitDir = name === undefined ? undefined : join(place.gitDir, 'modules', name);
  const kept = gitDir !== undefined && isThere(() => statEntry(reach, join(gitDir, 'HEAD')));
  return {
    ...{ facts, path, top, url },
    kept: kept ? gitDir : undefined,
    skipped: reasonToSkip(facts, setting('update') ?? facts.update),
  };
}

function reasonToSkip({ name, state }: SubmoduleFacts, way: string | undefined): string | undefined {
  if (name === undefined) return 'not declared in .gitmodules';
  if (state === 'unmerged') return 'unmerged';
  return way === 'none' ? 'its update is none' : undefined;
}

export function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree with submodules in it', { code: 'unsupported' });
}

function refused(path: string, why: string): ToolError {
  return new ToolError(`not possible with the submodule ${path}: ${why}`, { code: 'unsupported' });
}

function isThere(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
