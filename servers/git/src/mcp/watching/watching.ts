import { locate, type Scope } from '@rootbound/kit/boundary';
import { WatchHub } from '@rootbound/kit/watch';
import { ToolError } from '@rootbound/protocol';
import { parseGitUri, type Target } from '../../call/git-uri.ts';
import type { Workspace } from '../../call/workspace.ts';
import { ListedResources } from './listed.ts';
import { lookFor } from './look.ts';
import { Watch } from './watch.ts';
import type { Watched } from './watched.ts';

export interface WatchingOptions {
  /** called when a listed repository or ref has appeared or vanished */
  readonly listChanged: () => void;
  readonly onError: (error: unknown) => void;
}

/** Targets that are watched at once, however many clients watch each; files of work trees count apart. */
const MOST_WATCHED = 500;

/** Watches the targets of `git://` URIs by the content that reading them returns. */
export class Watching {
  readonly #options: WatchingOptions;
  readonly #hub: WatchHub;
  readonly #closing = new AbortController();
  readonly #listed: ListedResources;
  /** by target: subscribers with the same view share one watch */
  readonly #byKey = new Map<string, Map<Scope, Watch>>();

  constructor(options: WatchingOptions) {
    this.#options = options;
    const { onError } = options;
    this.#hub = new WatchHub({ cap: MOST_PATHS, onError });
    this.#listed = new ListedResources({ ...options, hub: this.#hub });
  }

  /** Calls `changed` whenever the content of the URI has changed; never for content that cannot change. */
  async watch(uri: string, workspace: Workspace, changed: () => void): Promise<() => void> {
    const found = parseGitUri(uri);
    if (found === undefined) throw new ToolError(`not a git URI: ${uri}`, { code: 'not-found' });
    const { repository: path, target } = found;
    assertInside(workspace, path);
    const watched = watchedOf(target);
    if (watched === undefined) return () => {};
    const key = JSON.stringify([workspace.owner, path, watched.kind, watched.ref]);
    const { scope } = workspace;
    const watch = this.#watchOf(key, workspace, path, watched);
    try {
      const stop = await watch.add(changed);
      return () => {
        stop();
        this.#release(key, scope, watch);
      };
    } catch (error) {
      this.#release(key, scope, watch);
      throw error;
    }
  }

  /** Notifies from now on when the repositories in these roots, or their listed refs, change. */
  follow(workspace: Workspace): Promise<void> {
    return this.#listed.follow(workspace);
  }

  /** Looks again at everything that is watched, when a root has become another folder. */
  lookAgain(): void {
    this.#hub.lookAgain();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#listed.close();
    for (const shared of this.#byKey.values()) for (const watch of shared.values()) watch.close();
    this.#byKey.clear();
    await this.#hub.close();
  }

  #watchOf(key: string, { scope, repositories }: Workspace, path: string, watched: Watched): Watch {
    const shared = this.#byKey.get(key) ?? new Map<Scope, Watch>();
    if (shared.size === 0 && this.#byKey.size >= MOST_WATCHED) throw tooMany();
    this.#byKey.set(key, shared);
    let watch = shared.get(scope);
    if (watch === undefined) {
      const { onError } = this.#options;
      const look = lookFor({ repositories, scope, path, watched, signal: this.#closing.signal });
      watch = new Watch({
        hub: this.#hub,
        look,
        onError,
      });
      shared.set(scope, watch);
    }
    watch.held += 1;
    return watch;
  }

  #release(key: string, scope: Scope, watch: Watch): void {
    watch.held -= 1;
    if (watch.held > 0) return;
    watch.close();
    const shared = this.#byKey.get(key);
    shared?.delete(scope);
    if (shared?.size === 0) this.#byKey.delete(key);
  }
}

/** paths in git dirs, for all of them together */
const MOST_PATHS = 20_000;

/** Returns the watched parts for a URI; undefined where its content never changes. */
function watchedOf(target: Target): Watched | undefined {
  if (target.kind === 'ref')
    return target.name === 'HEAD' ? { kind: 'head' } : { kind: 'ref', ref: target.name };
  return isOfIds(target) ? undefined : { kind: target.kind };
}

function isOfIds(
  target: Target,
): target is Extract<Target, { kind: 'commit' | 'tree' | 'blob' | 'diff' | 'path' }> {
  return ['commit', 'tree', 'blob', 'diff', 'path'].includes(target.kind);
}

/** Throws for a path outside the roots, or one that leads there; a missing path may appear later. */
function assertInside({ scope, repositories }: Workspace, path: string): void {
  if (!locate(scope, path).exists) return;
  try {
    repositories.open(scope, path);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'not-a-repository') throw error;
  }
}

function tooMany(): ToolError {
  return new ToolError(`too many subscriptions: ${MOST_WATCHED} at most`, {
    code: 'too-many-watches',
    retryable: true,
    hint: 'end another one first',
  });
}
