import { join } from 'node:path';
import type { WatchHub } from '@rootbound/kit/watch';
import type { Workspace } from '../../call/workspace.ts';
import { listRefs } from './listed-refs.ts';
import { Watch } from './watch.ts';
import type { Look, PathKind } from './watched.ts';

export interface ListedOptions {
  readonly hub: Pick<WatchHub, 'watch'>;
  readonly listChanged: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Folders of the roots that are watched, those nearest to the roots first: a repository deeper down appears without a
 * notification.
 */
const MOST_FOLDERS = 500;
/** Sets of roots that are followed; of more, those listed last. */
const MOST_FOLLOWED = 16;

/** The listed repositories and refs, watched so that clients are notified when a list changes. */
export class ListedResources {
  readonly #options: ListedOptions;
  readonly #byRoots = new Map<string, { readonly watch: Watch; readonly begun: Promise<unknown> }>();

  constructor(options: ListedOptions) {
    this.#options = options;
  }

  /** resolves when no later change can be missed */
  async follow(workspace: Workspace): Promise<void> {
    const key = [workspace.owner, ...workspace.scope.roots.map(({ real }) => real)].join('\0');
    const followed = this.#byRoots.get(key) ?? this.#begin(workspace);
    // in the order of the last listing
    this.#byRoots.delete(key);
    this.#byRoots.set(key, followed);
    const [oldest] = this.#byRoots;
    if (this.#byRoots.size > MOST_FOLLOWED && oldest !== undefined) {
      this.#byRoots.delete(oldest[0]);
      oldest[1].watch.close();
    }
    try {
      await followed.begun;
    } catch (error) {
      followed.watch.close();
      this.#byRoots.delete(key);
      this.#options.onError(error);
    }
  }

  close(): void {
    for (const { watch } of this.#byRoots.values()) watch.close();
    this.#byRoots.clear();
  }

  #begin(workspace: Workspace): { watch: Watch; begun: Promise<unknown> } {
    const { hub, listChanged, onError } = this.#options;
    const watch = new Watch({ hub, onError, look: () => lookAt(workspace) });
    return { watch, begun: watch.add(listChanged) };
  }
}

async function lookAt({ scope, repositories }: Workspace): Promise<Look> {
  const files = new Map<string, PathKind>();
  const onFolder = (path: string): void => {
    files.set(path, 'directory');
  };
  const found = await repositories.find(scope, { folders: MOST_FOLDERS, onFolder });
  const tops = found.repositories.map(({ place }) => place.workTree ?? place.gitDir).sort();
  for (const { place } of found.repositories) files.set(join(place.gitDir, 'HEAD'), 'file');
  const refs = await listRefs(found.repositories, (path, kind) => files.set(path, kind));
  // names alone: the target of a ref is no part of the list
  const names = refs.map(({ repository, name }) => `${repository.top}?${name}`);
  return { word: [...tops, ...names].join('\0'), paths: new Map(), files };
}
