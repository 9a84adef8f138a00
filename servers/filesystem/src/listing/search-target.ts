import { relative, sep } from 'node:path';
import { isInside, type OpenDirectory, openDirectory, type Scope } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { toBytes } from '../search/order.ts';
import type { Ignoring, Query } from '../search/query.ts';

/** A directory to search, and the handles that stay open until the search settles. */
export interface SearchTarget {
  where: Pick<Query, 'root' | 'ignoring' | 'scope'>;
  close(): void;
}

/** Returns the target of a search in a folder; ignore files apply from the outermost root that contains it. */
export function openSearchTarget(scope: Scope, folder: OpenDirectory, ignoreFiles: boolean): SearchTarget {
  const root = { fd: folder.fd, path: folder.path };
  const { roots, reason, containment, deny, anchors } = scope;
  const where = { root, scope: { roots, reason, containment, deny, anchors } };
  if (!ignoreFiles) return { where, close: () => folder.close() };
  const top = openTop(scope, folder);
  return {
    where: { ...where, ignoring: top === undefined ? { top: root, pathToRoot: '' } : aboveIn(top, folder) },
    close: () => {
      top?.close();
      folder.close();
    },
  };
}

/** Opens the outermost root that contains a folder; undefined if that is the folder itself. */
function openTop(scope: Scope, folder: OpenDirectory): OpenDirectory | undefined {
  const holding = scope.roots.filter(({ real }) => isInside(folder.path, real));
  const [root] = holding.sort((a, b) => a.real.length - b.real.length);
  if (root === undefined || root.real === folder.path) return undefined;
  try {
    const top = openDirectory(scope, root.path);
    if (isInside(folder.path, top.path)) return top;
    top.close();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // the root was deleted or replaced: the search itself reports it
  }
  return undefined;
}

function aboveIn({ fd, path }: OpenDirectory, folder: OpenDirectory): Ignoring {
  const names = relative(path, folder.path).split(sep);
  return { top: { fd, path }, pathToRoot: toBytes(`${names.join('/')}/`) };
}
