import { RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { RequestOptions } from '../jsonrpc/peer.ts';
import { errors } from '../protocol/errors.ts';
import { LruMap } from '../protocol/lru-map.ts';
import type { Revision } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { within } from './wait.ts';

/** The maximum number of pages whose completion somebody waits for. */
const MOST_OPEN = 1000;
/** The maximum number of repetitions of a request after page visits. */
const MOST_VISITS = 3;

type Page = t.ElicitRequestURLParams;

/** Resolves with true if the user agreed to visit all pages and has finished on them. */
export type VisitAll = (pages: readonly Page[], limits: RequestOptions) => Promise<boolean>;

interface Visit {
  completed: Promise<void>;
  complete(): void;
}

/**
 * The pages that a server has asked the user to open, until it reports their completion.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation
 */
export class PageVisits {
  readonly #visits = new LruMap<Visit>({ maxEntries: MOST_OPEN });

  /** Resolves when the server reports that the user has finished on the page. */
  completion(elicitationId: string): Promise<void> {
    const known = this.#visits.get(elicitationId);
    if (known !== undefined) return known.completed;
    let complete: () => void = () => {};
    const completed = new Promise<void>((resolve) => {
      complete = resolve;
    });
    this.#visits.set(elicitationId, { completed, complete });
    return completed;
  }

  /** Handles a completion notification; pages that nobody has opened are ignored. */
  completed(elicitationId: unknown): void {
    if (typeof elicitationId !== 'string') return;
    this.#visits.get(elicitationId)?.complete();
    this.#visits.delete(elicitationId);
  }

  /** Asks the user for each page through `open`, and waits for the completion of all. */
  async all(
    pages: readonly Page[],
    open: (page: Page) => Promise<object>,
    { maxTimeout, signal }: RequestOptions,
  ): Promise<boolean> {
    // the completion may arrive before the provider's response
    const completions = pages.map(({ elicitationId = '' }) => this.completion(elicitationId));
    for (const page of pages) {
      const { action } = (await open(page)) as t.ElicitResult; // the response was checked
      if (action !== 'accept') return false;
    }
    await within(Promise.all(completions), 'the visit of a page', { timeout: maxTimeout, signal });
    return true;
  }
}

/**
 * Returns the result of a request that a server of 2025-11-25 may refuse until pages were visited; it is then
 * sent again, at most three times. If the user declines, the refusal is thrown.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 */
export async function requestWithVisits(
  revision: Revision,
  send: () => Promise<Params>,
  visitAll: VisitAll | undefined,
  limits: RequestOptions,
): Promise<Params> {
  for (let visits = 0; ; visits++) {
    try {
      return await send();
    } catch (error) {
      const pages = revision === '2025-11-25' && visits < MOST_VISITS ? wantedPages(error) : undefined;
      if (pages === undefined || visitAll === undefined) throw error;
      if (!(await visitAll(pages, limits))) throw error;
    }
  }
}

/** Returns the pages that an error lists, or undefined for another error. */
function wantedPages(error: unknown): Page[] | undefined {
  if (!(error instanceof RpcError) || error.code !== errors.URLElicitationRequired.code) return undefined;
  const pages = isObject(error.data) ? error.data.elicitations : undefined;
  return Array.isArray(pages) && pages.length > 0 && pages.every(isPage) ? pages : undefined;
}

function isPage(value: unknown): value is Page {
  return (
    isObject(value) &&
    value.mode === 'url' &&
    typeof value.url === 'string' &&
    typeof value.message === 'string' &&
    typeof value.elicitationId === 'string'
  );
}
