import type { CallContext, Resource } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { FollowedRoots } from './followed.ts';
import { describeRoot } from './listing.ts';
import { Watching } from './watching.ts';

export interface LiveOptions {
  /** returns the paths of the operator's roots that do not exist */
  readonly missingRoots: () => readonly string[];
  readonly lookAtRoots: () => void;
  /** called when the list of resources has changed */
  readonly changed: () => void;
  readonly onError: (error: unknown) => void;
}

/** Lists and watches resources; loaded at the first list or subscription. */
export class LiveResources {
  readonly #options: LiveOptions;
  readonly #watching: Watching;
  readonly #followed: FollowedRoots;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#watching = new Watching(options.onError);
    this.#followed = new FollowedRoots({ ...options, watching: this.#watching });
  }

  /** Returns the roots with their direct entries. Clients are notified when this list changes. */
  async list({ scope: { scope } }: CallContext<Workspace>): Promise<readonly Resource[]> {
    const missing = this.#options.missingRoots();
    await this.#followed.follow(scope, [...scope.roots.map((root) => root.real), ...missing]);
    // a root that was created before its watch started
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

  /** Checks all watched paths after a root was replaced. */
  lookAgain(): void {
    this.#watching.lookAgain();
  }

  async close(): Promise<void> {
    this.#followed.close();
    await this.#watching.close();
  }
}
