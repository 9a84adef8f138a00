import type { WatchHub } from '@rootbound/kit/watch';
import type { PathKind } from './watched.ts';

/** The paths that one watch looks at. */
export class Paths {
  readonly #hub: Pick<WatchHub, 'watch'>;
  readonly #uncounted: boolean;
  readonly #stirred: () => void;
  readonly #stops = new Map<string, { readonly kind: PathKind; readonly stop: () => void }>();
  #ended = false;

  /** calls `stirred` after any event at one of them */
  constructor(hub: Pick<WatchHub, 'watch'>, stirred: () => void, { uncounted = false } = {}) {
    this.#hub = hub;
    this.#stirred = stirred;
    this.#uncounted = uncounted;
  }

  /** Watches exactly these; returns whether one is new, so that it may have changed since the look. */
  async follow(paths: ReadonlyMap<string, PathKind>): Promise<boolean> {
    let came = false;
    for (const [path, kind] of paths) {
      const known = this.#stops.get(path);
      if (known?.kind === kind) continue;
      const stop = await this.#hub.watch(path, kind, this.#stirred, { uncounted: this.#uncounted });
      if (this.#ended) {
        stop();
        return false;
      }
      known?.stop();
      this.#stops.set(path, { kind, stop });
      came = true;
    }
    for (const [path, { stop }] of this.#stops) {
      if (paths.has(path)) continue;
      this.#stops.delete(path);
      stop();
    }
    return came;
  }

  close(): void {
    this.#ended = true;
    this.clear();
  }

  clear(): void {
    for (const { stop } of this.#stops.values()) stop();
    this.#stops.clear();
  }
}
