import { ToolError } from '@rootbound/protocol';
import { loadPage } from '../fetching/load-page.ts';
import type { Snapshot } from '../pages/page.ts';
import { newestOf, type Page } from '../pages/page-store.ts';
import { findPage } from '../resources/pages.ts';
import type { Workspace } from '../workspace.ts';
import { Pace, type PaceOptions } from './request-interval.ts';

export interface WatchingOptions extends Partial<PaceOptions> {
  /** subscribed pages of all clients together; 200 unless given */
  readonly most?: number | undefined;
  readonly onError: (error: unknown) => void;
}

const MOST_WATCHED = 200;

/** The subscribed pages: requests them periodically, and notifies subscribers when the text has changed. */
export class Watching {
  readonly #options: WatchingOptions;
  readonly #watched = new Map<string, WatchedPage>();

  constructor(options: WatchingOptions) {
    this.#options = options;
  }

  /**
   * Calls `changed` whenever the text of the page with this URI changes; returns the function that ends the
   * subscription.
   */
  watch(uri: string, workspace: Workspace, changed: () => void): () => void {
    const page = findPage(uri, workspace);
    if (page === undefined)
      throw new ToolError('no such page is stored', { code: 'not-found', hint: 'fetch it first' });
    const key = `${workspace.owner} ${page.id}`;
    let watched = this.#watched.get(key);
    if (watched === undefined) {
      const { most = MOST_WATCHED } = this.#options;
      if (this.#watched.size >= most) throw tooMany(most);
      watched = new WatchedPage(page, workspace, this.#options);
      this.#watched.set(key, watched);
    }
    const leave = watched.join(changed);
    const joined = watched;
    return () => {
      leave();
      if (joined.isWatched) return;
      joined.end();
      if (this.#watched.get(key) === joined) this.#watched.delete(key);
    };
  }

  close(): void {
    for (const watched of this.#watched.values()) watched.end();
    this.#watched.clear();
  }
}

/** A subscribed page with its subscribers. */
class WatchedPage {
  readonly #workspace: Workspace;
  readonly #options: WatchingOptions;
  readonly #pace: Pace;
  readonly #heard = new Set<{ readonly changed: () => void }>();
  readonly #ending = new AbortController();
  #last: Snapshot;
  #timer: NodeJS.Timeout | undefined;

  constructor(page: Page, workspace: Workspace, options: WatchingOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.#pace = new Pace(options);
    this.#last = newestOf(page);
    this.#plan(this.#pace.next(workspace.engine.freshness.leftMs(page)));
  }

  get isWatched(): boolean {
    return this.#heard.size > 0;
  }

  join(changed: () => void): () => void {
    const listener = { changed };
    this.#heard.add(listener);
    return () => this.#heard.delete(listener);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ending.abort(new Error('the last subscription has ended'));
  }

  #plan(ms: number): void {
    if (this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const { url, want, selector, rendered, waitFor, hash } = this.#last;
    const { signal } = this.#ending;
    try {
      const asked = { url, selector, render: rendered, wait_for: waitFor, max_age: 0 };
      const { snapshot, fetched } = await loadPage(this.#workspace, asked, { want, signal });
      this.#last = snapshot;
      this.#plan(this.#pace.next(fetched.freshSeconds * 1000));
      if (snapshot.hash !== hash) for (const { changed } of this.#heard) changed();
    } catch (error) {
      if (signal.aborted) return;
      this.#options.onError(error);
      this.#plan(this.#pace.afterFailure(error));
    }
  }
}

function tooMany(most: number): ToolError {
  return new ToolError(`${most} pages have subscriptions, the limit of this server`, {
    code: 'busy',
    retryable: true,
    hint: 'end another subscription first',
  });
}
