import type { ClientAuth } from '../../auth/client-auth.ts';
import { HttpError } from '../../client/errors.ts';
import type { JsonText } from '../../jsonrpc/message.ts';
import { type Carrier, type Fields, type HttpResponse, release } from './carrier.ts';
import { FetchCarrier } from './fetch-carrier.ts';
import { NodeCarrier } from './node-carrier.ts';
import type { HttpSettings } from './options.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly fields: Fields;
  readonly signal: AbortSignal;
  readonly body?: JsonText;
  /** default: the URL of the server */
  readonly url?: URL;
  /** the protocol revision, if it is known */
  readonly revision?: string | undefined;
  /** called when the call waits for credentials */
  readonly heldUp?: (until: Promise<unknown>) => void;
  /** true for a message that must not reach the server twice, even if the first attempt seems to have failed */
  readonly once?: boolean;
  /** true for a message that must not start a login, such as a DELETE of the session */
  readonly unchallenged?: boolean;
}

interface Refused {
  call: Call;
  url: URL;
  response: HttpResponse;
  /** the credentials of the request */
  sent: Fields;
}

const MOST_REDIRECTS = 5;
const MOST_CHALLENGES = 5;

/** Sends HTTP requests to one server with its headers and credentials, and follows allowed redirects. */
export class Caller {
  readonly #carrier: Carrier;
  readonly #fields: Fields;
  readonly #auth: ClientAuth | undefined;
  #url: URL;
  #authorization = '';
  /** the number of times that the credentials changed */
  #changes = 0;

  constructor(url: URL, { fetch, headers, auth }: HttpSettings) {
    this.#url = url;
    this.#carrier = fetch === undefined ? new NodeCarrier() : new FetchCarrier(fetch);
    this.#fields = headers;
    this.#auth = auth;
  }

  get url(): URL {
    return this.#url;
  }

  /**
   * Returns the response to a request, whatever its status; rejects with ConnectionError, or when the signal
   * aborts.
   */
  async call(call: Call): Promise<HttpResponse> {
    const { method, body, signal, once = false } = call;
    let url = call.url ?? this.#url;
    for (let [challenges, redirects] = [0, 0]; ; ) {
      const credentials = await this.#credentials(call, url);
      const fields = { ...this.#fields, ...credentials, ...call.fields };
      const response = await this.#carrier.send({ method, url, fields, body, signal, once });
      const target = redirectOf(response, url, method);
      if (target !== undefined && redirects < MOST_REDIRECTS) {
        redirects += 1;
        const { status } = response;
        if (call.url === undefined && (status === 301 || status === 308)) this.#url = target;
        url = target;
      } else {
        challenges += 1;
        if (
          challenges > MOST_CHALLENGES ||
          !(await this.#challenged({ call, url, response, sent: credentials }, challenges))
        )
          return response;
      }
      await release(response);
    }
  }

  close(): void {
    this.#carrier.close();
  }

  /** An identifier of the credentials of the last request. */
  get credentials(): string | undefined {
    return this.#changes === 0 ? undefined : String(this.#changes);
  }

  async #credentials({ method, heldUp }: Call, url: URL): Promise<Fields> {
    if (this.#auth === undefined) return {};
    const waiting = this.#auth.headers({ method, url });
    heldUp?.(waiting);
    const entries = Object.entries(await waiting);
    const fields = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    // other headers may differ between requests
    const { authorization = '' } = fields;
    if (this.#changes === 0 || authorization !== this.#authorization) this.#changes += 1;
    this.#authorization = authorization;
    return fields;
  }

  /** Returns true if a refused request should be repeated with other credentials. */
  async #challenged({ call, url, response, sent }: Refused, attempt: number): Promise<boolean> {
    if (this.#auth === undefined || call.unchallenged === true || !isChallenge(response)) return false;
    const { status } = response;
    const { revision, heldUp } = call;
    const waiting = this.#auth.challenged(
      { status, url, revision, sent, header: (name) => response.header(name.toLowerCase()) },
      attempt,
    );
    heldUp?.(waiting);
    return waiting;
  }
}

function isChallenge(response: HttpResponse): boolean {
  const { status } = response;
  if (status === 401 || status === 403) return true;
  return status === 400 && response.header('www-authenticate') !== undefined;
}

/** Returns the target of a redirect; throws for another origin, to which credentials must not be sent. */
function redirectOf(response: HttpResponse, url: URL, method: string): URL | undefined {
  const { status } = response;
  const location = response.header('location');
  const follows = [301, 302, 307, 308].includes(status) || (status === 303 && method === 'GET');
  if (!follows || location === undefined || !URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url);
  if (target.origin === url.origin) return target;
  response.cancel();
  throw new HttpError(
    status,
    `the server redirects (HTTP status ${status}) to another origin, ${target.origin}; connect to that URL if you trust it`,
  );
}
