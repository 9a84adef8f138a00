import { RpcError } from '../jsonrpc/errors.ts';
import { isObject, type Params } from '../jsonrpc/message.ts';
import type { RequestOptions } from '../jsonrpc/peer.ts';
import { errors } from '../protocol/errors.ts';
import type { Revision } from '../protocol/revisions.ts';
import type * as t from '../protocol/types.ts';
import { within } from './wait.ts';

/** Most pages of which it is remembered that somebody waits for them. */
const MOST_OPEN = 1000;
/** Most times that a request is sent again after pages were visited. */
const MOST_VISITS = 3;

type Page = t.ElicitRequestURLParams;

/** Whether the user has agreed to visit all pages, and all have done their work. */
export type VisitAll = (pages: readonly Page[], limits: RequestOptions) => Promise<boolean>;

interface Visit {
  completed: Promise<void>;
  complete(): void;
}

/**
 * The pages that a server has asked to be opened, until it says that they have done their work.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation
 */
export class PageVisits {
  readonly #visits = new Map<string, Visit>();

  /** Resolves when the server says that the page has done its work. */
  completion(elicitationId: string): Promise<void> {
    const known = this.#visits.get(elicitationId);
    if (known !== undefined) return known.completed;
    let complete: () => void = () => {};
    const completed = new Promise<void>((resolve) => {
      complete = resolve;
    });
    const [oldest] = this.#visits.keys();
    if (this.#visits.size >= MOST_OPEN && oldest !== undefined) this.#visits.delete(oldest);
    this.#visits.set(elicitationId, { completed, complete });
    return completed;
  }

  /** The server has said so; pages that nobody has opened are ignored. */
  completed(elicitationId: unknown): void {
    if (typeof elicitationId !== 'string') return;
    this.#visits.get(elicitationId)?.complete();
    this.#visits.delete(elicitationId);
  }

  /** Has the user asked for each page by `open`, and waits until all have done their work. */
  async all(
    pages: readonly Page[],
    open: (page: Page) => Promise<object>,
    { maxTimeout, signal }: RequestOptions,
  ): Promise<boolean> {
    // a page may have done its work before its provider has answered
    const completions = pages.map(({ elicitationId = '' }) => this.completion(elicitationId));
    for (const page of pages) {
      const { action } = (await open(page)) as t.ElicitResult; // what answers a question was checked
      if (action !== 'accept') return false;
    }
    await within(Promise.all(completions), 'the visit of a page', { timeout: maxTimeout, signal });
    return true;
  }
}

/**
 * The result of a request, which a server of 2025-11-25 may refuse until pages were visited; then it is sent again,
 * three times at most. The refusal stands when the user declines.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 */
export async function throughVisits(
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

/** The pages that an error wants to have visited before the request is sent again, or undefined for another error. */
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
