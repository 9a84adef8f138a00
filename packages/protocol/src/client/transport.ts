import type { Id, JsonText, Params } from '../jsonrpc/message.ts';
import type { Outbound } from '../jsonrpc/peer.ts';
import type { Revision } from '../protocol/revisions.ts';

/**
 * Receives the events of a channel.
 * @example const hang = (events: ChannelEvents): void => events.closed('the line went dead');
 */
export interface ChannelEvents {
  /** the text of one message */
  message(text: string): void;
  /** something was dropped because it could not be read; the connection continues */
  fault(error: Error): void;
  /** the connection is closed; called once, after all other events */
  closed(reason: string): void;
  /** the text of the response to one request */
  answer(id: Id, text: string): void;
  /** a request will have no response; the connection continues */
  failed(id: Id, error: Error): void;
  /** returns true while a request has no response */
  waits(id: Id): boolean;
  /** a request waits for something else, such as a login; that time does not count towards its timeout */
  heldUp(id: Id, until: Promise<unknown>): void;
  /** the server had lost the session, and it was restarted: subscriptions and log level are lost */
  renewed(): void;
  /** notifications of the server may be lost; the connection continues */
  missed(): void;
}

/** When and how a request is sent again. */
export interface Again {
  /** milliseconds to wait before */
  readonly after: number;
  /** the number of that attempt; it starts again at a low number after progress */
  readonly attempt: number;
}

/**
 * One connection to one server, which carries single messages.
 * @example const isIdle = (channel: Channel): boolean => channel.drained() === undefined;
 */
export interface Channel {
  /** Starts to deliver messages; messages that arrived before are not lost. */
  start(events: ChannelEvents): void;
  /** Sends the text of a message; `message` describes it, unless it is a response. */
  send(text: JsonText, message?: Outbound): void;
  /**
   * Resolves when the server has read enough for more messages, or is gone; undefined if there is no need to
   * wait.
   */
  drained(): Promise<void> | undefined;
  /** Closes the connection, and resolves when everything that belongs to it has ended. */
  close(): Promise<void>;
  /**
   * An identifier of the credentials that requests carry now, which reveals nothing about them; private
   * results are cached per identifier.
   */
  readonly credentials?: string | undefined;
  /** Receives the negotiated revision. */
  settle?(revision: Revision): void;
  /** Drops a cancelled request; returns true if that notifies the server too, or the server never received it. */
  abandon?(id: Id): boolean;
  /** Reads a result before the client does, and returns its usable part. */
  inspect?(method: string, result: Params): Params;
  /** Returns whether and when a failed request may be sent again, with another id. */
  again?(message: Outbound, error: unknown, attempt: number): Again | undefined;
}

/**
 * A way to reach a server: every `open` makes a new connection, such as a new process.
 * @example
 * const counted: Transport & { opened: number } = {
 *   opened: 0,
 *   open() {
 *     this.opened += 1;
 *     return transport.open();
 *   },
 * };
 * const one = await connect(counted, { name: 'example', version: '1.0.0' });
 * await one.close();
 * counted.opened; // => 1
 */
export interface Transport {
  open(): Promise<Channel>;
  /** true if only handshake revisions are possible, so that no probe is needed */
  readonly handshakeOnly?: boolean;
}
