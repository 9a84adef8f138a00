import { rpcError } from '../protocol/errors.ts';
import { namesSecret } from '../protocol/secret-names.ts';
import type * as t from '../protocol/types.ts';
import type { Facts, Session } from './context.ts';

/**
 * A page that the user was asked to open.
 * @example
 * const visits = new Map<string, PageVisit>();
 * // what the page calls when its work is done
 * const done = (id: string): void => visits.get(id)?.completed();
 */
export class PageVisit {
  /** identifies the visit, so that the page can find it */
  readonly id: string;
  #session: Session | undefined;
  #principal: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /**
   * Notifies the client that the user has finished on the page, if its revision has that notification
   * (2025-11-25).
   */
  completed(): void {
    this.#session?.notify('notifications/elicitation/complete', { elicitationId: this.id });
    this.#session = undefined;
  }

  /**
   * Returns true if the user who is logged in on the page is the one who was asked to open it. The page must
   * reject input of anybody else. Returns false if this server does not authenticate its users.
   * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#phishing
   */
  isOf(principal: string): boolean {
    return this.#principal === principal;
  }

  /** Records the principal who is asked, and the session to notify. */
  asked({ revision, session, principal }: Facts): void {
    this.#principal = principal;
    if (hasVisitIds(revision)) this.#session = session;
  }
}

/**
 * A message to the user, a page, and an unguessable id of the visit.
 * @example
 * const page: PageRequest = { message: 'Connect your calendar.', url: 'https://example.com/connect' };
 */
export interface PageRequest {
  message: string;
  url: string;
  id?: string;
}

/** A page with its visit. */
export interface RequiredPage {
  readonly message: string;
  readonly url: string;
  readonly visit: PageVisit;
}

/**
 * An error for a request that requires the user to visit pages first. A tool, prompt or resource throws it
 * before it has done anything. The client asks the user, and repeats the request when it is notified through
 * `visit.completed()` of each page.
 * @example
 * const refusal: PagesRequired = pagesRequired({ message: 'Sign in.', url: 'https://example.com/', id: 'visit-1' });
 * refusal.pages[0]?.visit.id; // => 'visit-1'
 */
export class PagesRequired extends Error {
  readonly pages: readonly RequiredPage[];

  constructor(pages: readonly PageRequest[]) {
    super('pages must be visited first');
    this.name = 'PagesRequired';
    this.pages = pages.map(({ message, url, id }) => {
      assertPage(url);
      return { message, url, visit: new PageVisit(id ?? globalThis.crypto.randomUUID()) };
    });
  }
}

/**
 * Returns the error for a request that requires the user to visit pages first.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 * @example
 * const required = pagesRequired({ message: 'Connect your calendar.', url: 'https://example.com/connect' });
 * required.pages[0]?.url; // => 'https://example.com/connect'
 */
export function pagesRequired(first: PageRequest, ...others: PageRequest[]): PagesRequired {
  return new PagesRequired([first, ...others]);
}

/** Throws the error with the pages, if the client's revision has that error and the client opens pages. */
export function throwPagesRequired(facts: Facts, { pages }: PagesRequired): void {
  if (!hasVisitIds(facts.revision) || facts.capabilities.elicitation?.url === undefined) return;
  for (const { visit } of pages) visit.asked(facts);
  const elicitations = pages.map(
    ({ message, url, visit }): t.ElicitRequestURLParams => ({
      mode: 'url',
      elicitationId: visit.id,
      message,
      url,
    }),
  );
  throw rpcError('URLElicitationRequired', undefined, { elicitations });
}

/** Throws a TypeError for the address of a page that must not be opened, or that contains a secret. */
export function assertPage(target: string): void {
  const page = URL.canParse(target) ? new URL(target) : undefined;
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(page?.hostname ?? '');
  if (page?.protocol !== 'https:' && !(page?.protocol === 'http:' && local))
    throw new TypeError('the page of url() must be an https address');
  const secret = [...page.searchParams.keys()].find(namesSecret);
  if (page.username !== '' || page.password !== '' || secret !== undefined)
    throw new TypeError('the address of a page must not contain credentials');
}

/** Returns true for 2025-11-25, the only revision with ids and a completion notification for visits. */
function hasVisitIds(revision: Facts['revision']): boolean {
  return revision === '2025-11-25';
}
