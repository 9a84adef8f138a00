import type { ChannelEvents } from '../../client/transport.ts';
import type { Id, JsonText } from '../../jsonrpc/message.ts';
import { headerNames } from '../../protocol/headers.ts';
import { type Revision, revisions } from '../../protocol/revisions.ts';
import { postFields } from './answer.ts';
import type { Caller } from './caller.ts';
import { type Fields, type HttpResponse, release } from './carrier.ts';
import { isRepeatable } from './repeatable.ts';

const sessionField = headerNames.sessionId.toLowerCase();
const versionField = headerNames.protocolVersion.toLowerCase();
const lastEventField = headerNames.lastEventId.toLowerCase();

export interface PostOptions {
  signal: AbortSignal;
  session: string | undefined;
  /** of the message, unless it is a response */
  method?: string;
  /** the request that is sent */
  id?: Id;
  /** true before there is a negotiated revision */
  unversioned?: boolean;
}

/** Sends the HTTP requests of the handshake era, with the headers of their session. */
export class SessionRequests {
  readonly #caller: Caller;
  readonly #events: ChannelEvents;
  /** the negotiated revision */
  revision: Revision | undefined;

  constructor(caller: Caller, events: ChannelEvents) {
    this.#caller = caller;
    this.#events = events;
  }

  post(text: JsonText, { signal, session, method, id, unversioned }: PostOptions): Promise<HttpResponse> {
    return this.#caller.call({
      method: 'POST',
      fields: { ...postFields, ...(unversioned === true ? {} : this.#fields(session)) },
      body: text,
      signal,
      revision: this.revision,
      once: method !== undefined && !isRepeatable(method),
      ...(id !== undefined && { heldUp: (until: Promise<unknown>) => this.#events.heldUp(id, until) }),
    });
  }

  /** Requests the standalone stream, or the events of any stream after one of them. */
  get(
    session: string | undefined,
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const after = lastEventId === undefined || lastEventId === '' ? {} : { [lastEventField]: lastEventId };
    const fields = { accept: 'text/event-stream', ...this.#fields(session), ...after };
    // without a position, the caller must know that a stream may have been lost
    const once = !(lastEventField in after);
    return this.#caller.call({ method: 'GET', fields, signal, revision: this.revision, once });
  }

  /** Deletes a session at the server. */
  async delete(session: string, signal: AbortSignal): Promise<void> {
    const fields = this.#fields(session);
    await release(await this.#caller.call({ method: 'DELETE', fields, signal, unchallenged: true }));
  }

  #fields(session: string | undefined): Fields {
    return { ...versionFields(this.revision), ...(session !== undefined && { [sessionField]: session }) };
  }
}

/** Returns the version header, which exists since 2025-06-18. */
export function versionFields(revision: Revision | undefined): Fields {
  return revision !== undefined && revisions[revision].structured ? { [versionField]: revision } : {};
}

/** Returns the session id in a response to `initialize`, if the server uses sessions. */
export function sessionOf(response: HttpResponse): string | undefined {
  return response.header(sessionField);
}
