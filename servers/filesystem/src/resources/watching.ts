import { fromFileUri, type Scope } from '@rootbound/kit/boundary';
import { WatchHub } from '@rootbound/kit/watch';
import { type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { digestOf } from './digest.ts';
import { UriWatch } from './uri-watch.ts';

/** Watches what `file://` URIs name, by content. */
export class Watching {
  readonly #hub: WatchHub;
  readonly #onError: (error: Error) => void;

  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
    this.#hub = new WatchHub({ onError });
  }

  /** Calls `changed` for every change of what the URI names: a file, a directory's children, or what will be there. */
  async watch(
    uri: string,
    { scope: { scope } }: CallContext<Workspace>,
    changed: () => void,
  ): Promise<() => void> {
    if (fromFileUri(uri) === undefined) throw new ToolError(`not a file URI: ${uri}`, { code: 'not-found' });
    const watch = new UriWatch({ hub: this.#hub, scope, uri, changed, onError: this.#onError });
    await watch.start();
    return watch.stop;
  }

  /** The same for the real path of a root, which the server watches for itself. */
  watchRoot(scope: Scope, path: string, changed: () => void): Promise<() => void> {
    return this.#hub.watch(path, 'any', changed, { digest: digestOf(scope, path), uncounted: true });
  }

  /** Looks again at all that is watched, when a root has become another folder. */
  lookAgain(): void {
    this.#hub.lookAgain();
  }

  close(): Promise<void> {
    return this.#hub.close();
  }
}
