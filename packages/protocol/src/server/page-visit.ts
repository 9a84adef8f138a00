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
  /** names the visit, for the page to find it again */
  readonly id: string;
  #session: Session | undefined;
  #principal: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Tells the client that the page has done its work, where its revision knows such a message (2025-11-25). */
  completed(): void {
    this.#session?.notify('notifications/elicitation/complete', { elicitationId: this.id });
    this.#session = undefined;
  }

  /**
   * Whether the user whom the page knows, by a login of its own, is the one who was asked to open it: what anybody
   * else enters there is not taken. False where this server does not know its users.
   * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#phishing
   */
  isOf(principal: string): boolean {
    return this.#principal === principal;
  }

  /** Who is asked, and the client that is told. */
  asked({ revision, session, principal }: Facts): void {
    this.#principal = principal;
    if (knowsVisits(revision)) this.#session = session;
  }
}

/**
 * What the user is to do on which page, and a name for the visit that nobody else can guess.
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
 * A request cannot go on before the user has visited pages: thrown by a tool, prompt or resource before it has done
 * anything. The client asks the user, and calls again once `visit.completed()` of each page has told it so.
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
 * The refusal of a request that cannot go on before the user has visited pages.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 * @example
 * const required = pagesRequired({ message: 'Connect your calendar.', url: 'https://example.com/connect' });
 * required.pages[0]?.url; // => 'https://example.com/connect'
 */
export function pagesRequired(first: PageRequest, ...others: PageRequest[]): PagesRequired {
  return new PagesRequired([first, ...others]);
}

/** Throws the error that names the pages to a client whose revision has one and that opens pages. */
export function refuseForPages(facts: Facts, { pages }: PagesRequired): void {
  if (!knowsVisits(facts.revision) || facts.capabilities.elicitation?.url === undefined) return;
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

/** Throws a TypeError for the address of a page that must not be opened, or that carries a secret. */
export function assertPage(target: string): void {
  const page = URL.canParse(target) ? new URL(target) : undefined;
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(page?.hostname ?? '');
  if (page?.protocol !== 'https:' && !(page?.protocol === 'http:' && local))
    throw new TypeError('the page of url() must be an https address');
  const secret = [...page.searchParams.keys()].find(namesSecret);
  if (page.username !== '' || page.password !== '' || secret !== undefined)
    throw new TypeError('the address of a page must hold no credentials; tell the user there who they are');
}

/** Visits had names, and a message for their end, in one revision alone. */
function knowsVisits(revision: Facts['revision']): boolean {
  return revision === '2025-11-25';
}
