import { join } from 'node:path';
import { linksTo, locate, type Scope } from '@rootbound/kit/boundary';
import type { Repository } from '../../repository/repository.ts';
import { orMissing } from './trace.ts';
import type { PathKind } from './watched.ts';

/** Returns the paths that decide to which repository a path leads; undefined while it leads outside. */
export function wayTo(scope: Scope, path: string, found?: Repository): Map<string, PathKind> | undefined {
  const way = new Map<string, PathKind>();
  const links = orMissing(() => linksTo(scope, path)) ?? [];
  const place = orMissing(() => locate(scope, path).path);
  if (place === undefined && links.length === 0) return undefined;
  for (const link of links) way.set(link, 'file');
  if (place !== undefined) addTop(way, place, found === undefined);
  if (found === undefined) return way;
  const { place: own, commonDir } = found;
  if (own.workTree !== undefined) addTop(way, own.workTree, false);
  for (const folder of [own.gitDir, commonDir]) way.set(folder, 'file').set(join(folder, 'config'), 'file');
  for (const name of ['HEAD', 'commondir', 'gitdir']) way.set(join(own.gitDir, name), 'file');
  return way;
}

/** the files that git requires of a new repository */
function addTop(way: Map<string, PathKind>, top: string, missing: boolean): void {
  const dotGit = join(top, '.git');
  way.set(top, 'file').set(dotGit, 'file');
  if (!missing) return;
  for (const folder of [dotGit, top])
    for (const name of ['HEAD', 'objects', 'refs']) way.set(join(folder, name), 'file');
}
