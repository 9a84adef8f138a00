import { fromFileUri, type Scope } from '@rootbound/kit/boundary';
import { WatchHub } from '@rootbound/kit/watch';
import { type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { digestOf } from './digest.ts';
import { UriWatch } from './uri-watch.ts';

/** Watches `file://` URIs and compares contents, so that only real changes are reported. */
export class Watching {
  readonly #hub: WatchHub;
  readonly #onError: (error: Error) => void;

  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
    this.#hub = new WatchHub({ onError });
  }

  /** Calls `changed` for every change of the file or the directory entries at a URI, which need not exist yet. */
  async watch(
    uri: string,
    { scope: { scope } }: CallContext<Workspace>,
    changed: () => void,
  ): Promise<() => void> {
    if (fromFileUri(uri) === undefined)
      throw new ToolError(`not a file:// URI: ${uri}`, { code: 'not-found' });
    const watch = new UriWatch({ hub: this.#hub, scope, uri, changed, onError: this.#onError });
    await watch.start();
    return watch.stop;
  }

  /** Watches the real path of a root for the server itself; it does not count towards the limit of watches. */
  watchRoot(scope: Scope, path: string, changed: () => void): Promise<() => void> {
    return this.#hub.watch(path, 'any', changed, { digest: digestOf(scope, path), uncounted: true });
  }

  /** Checks all watched paths after a root was replaced. */
  lookAgain(): void {
    this.#hub.lookAgain();
  }

  close(): Promise<void> {
    return this.#hub.close();
  }
}
