import type { CallContext, Resource } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { FollowedRoots } from './followed.ts';
import { describeRoot } from './listing.ts';
import { Watching } from './watching.ts';

export interface LiveOptions {
  /** the operator's roots, whether they exist or not, and the real paths of those that do */
  readonly missingRoots: () => readonly string[];
  readonly lookAtRoots: () => void;
  /** the list of resources has become another one */
  readonly changed: () => void;
  readonly onError: (error: unknown) => void;
}

/** The resources that are listed and watched; loaded when a client first lists or subscribes. */
export class LiveResources {
  readonly #options: LiveOptions;
  readonly #watching: Watching;
  readonly #followed: FollowedRoots;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#watching = new Watching(options.onError);
    this.#followed = new FollowedRoots({ ...options, watching: this.#watching });
  }

  /** The roots with their direct entries; whoever has seen them is told when they become others. */
  async list({ scope: { scope } }: CallContext<Workspace>): Promise<readonly Resource[]> {
    const missing = this.#options.missingRoots();
    await this.#followed.follow(scope, [...scope.roots.map((root) => root.real), ...missing]);
    // one that has come before its watch was live is seen by looking once more
    if (missing.length > 0) this.#options.lookAtRoots();
    const found: Resource[] = [];
    for (const root of scope.roots) {
      found.push(...(await describeRoot(scope, await this.#followed.list(scope, root))));
    }
    return found;
  }

  watch(uri: string, context: CallContext<Workspace>, changed: () => void): Promise<() => void> {
    return this.#watching.watch(uri, context, changed);
  }

  /** Looks again at all that is watched, when a root has become another folder. */
  lookAgain(): void {
    this.#watching.lookAgain();
  }

  async close(): Promise<void> {
    this.#followed.close();
    await this.#watching.close();
  }
}
