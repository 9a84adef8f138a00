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
  /** default the server's own */
  readonly url?: URL;
  /** the revision spoken with the server, as far as it is known */
  readonly revision?: string | undefined;
  /** hears that the call waits for credentials */
  readonly heldUp?: (until: Promise<unknown>) => void;
  /** true for what must not come to the server twice, also when the first time may have been in vain */
  readonly once?: boolean;
  /** true for what must not begin a login, such as a goodbye */
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

/** Sends HTTP requests to one server, with its headers and credentials, and follows it where it may lead. */
export class Caller {
  readonly #carrier: Carrier;
  readonly #fields: Fields;
  readonly #auth: ClientAuth | undefined;
  #url: URL;
  #authorization = '';
  /** how often the credentials were others than before */
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

  /** The response to a request, whatever its status; rejects with ConnectionError, or when the signal aborts. */
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

  /** A name for the credentials of the last request, which others do not have. */
  get credentials(): string | undefined {
    return this.#changes === 0 ? undefined : String(this.#changes);
  }

  async #credentials({ method, heldUp }: Call, url: URL): Promise<Fields> {
    if (this.#auth === undefined) return {};
    const waiting = this.#auth.headers({ method, url });
    heldUp?.(waiting);
    const entries = Object.entries(await waiting);
    const fields = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    // what else there is may differ with each request
    const { authorization = '' } = fields;
    if (this.#changes === 0 || authorization !== this.#authorization) this.#changes += 1;
    this.#authorization = authorization;
    return fields;
  }

  /** Whether a refusal was answered with other credentials. */
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

/** Where a response sends the same request to; credentials go to no other origin than the one they are for. */
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
    `the server redirects (HTTP status ${status}) to another origin, ${target.origin}; use that URL if it is meant`,
  );
}
