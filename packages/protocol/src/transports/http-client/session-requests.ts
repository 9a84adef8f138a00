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
  /** the request that is posted */
  id?: Id;
  /** true for what comes before there is a revision */
  unversioned?: boolean;
}

/** The HTTP requests of the handshake era, with the headers that say which conversation they belong to. */
export class SessionRequests {
  readonly #caller: Caller;
  readonly #events: ChannelEvents;
  /** what both sides talk, once that is agreed */
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

  /** Asks for the server's own stream, or for what comes after an event of any stream. */
  get(
    session: string | undefined,
    lastEventId: string | undefined,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const after = lastEventId === undefined || lastEventId === '' ? {} : { [lastEventField]: lastEventId };
    const fields = { accept: 'text/event-stream', ...this.#fields(session), ...after };
    // without a position whoever asks must know that a stream may have been lost
    const once = !(lastEventField in after);
    return this.#caller.call({ method: 'GET', fields, signal, revision: this.revision, once });
  }

  /** Tells the server that a session is over. */
  async delete(session: string, signal: AbortSignal): Promise<void> {
    const fields = this.#fields(session);
    await release(await this.#caller.call({ method: 'DELETE', fields, signal, unchallenged: true }));
  }

  #fields(session: string | undefined): Fields {
    return { ...versionFields(this.revision), ...(session !== undefined && { [sessionField]: session }) };
  }
}

/** The header that names the revision, where the revision has it: since there is structured output. */
export function versionFields(revision: Revision | undefined): Fields {
  return revision !== undefined && revisions[revision].structured ? { [versionField]: revision } : {};
}

/** The session that a response to `initialize` begins, if the server keeps sessions. */
export function sessionOf(response: HttpResponse): string | undefined {
  return response.header(sessionField);
}
