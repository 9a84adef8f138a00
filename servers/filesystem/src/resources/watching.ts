import { fromFileUri, locate } from '@rootbound/kit/boundary';
import type { WatchHub } from '@rootbound/kit/watch';
import { type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

/** Watches what `file://` URIs name; the hub and its library are loaded at the first subscription. */
export class Watching {
  readonly #onError: (error: Error) => void;
  #hub: Promise<WatchHub> | undefined;

  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  /** Calls `changed` for every change of what the URI names: a file, a directory's children, or what will be there. */
  async watch(
    uri: string,
    { scope: { scope } }: CallContext<Workspace>,
    changed: () => void,
  ): Promise<() => void> {
    if (fromFileUri(uri) === undefined) throw new ToolError(`not a file URI: ${uri}`, { code: 'not-found' });
    return this.watchPath(locate(scope, uri).path, changed);
  }

  /** The same for a path that needs no check. */
  async watchPath(path: string, changed: () => void): Promise<() => void> {
    this.#hub ??= this.#start();
    const hub = await this.#hub;
    return hub.watch(path, 'any', changed);
  }

  async close(): Promise<void> {
    if (this.#hub !== undefined) await (await this.#hub).close();
  }

  async #start(): Promise<WatchHub> {
    const { WatchHub: Hub } = await import('@rootbound/kit/watch');
    return new Hub({ onError: this.#onError });
  }
}
