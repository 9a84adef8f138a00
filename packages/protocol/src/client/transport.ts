import type { Id, JsonText, Params } from '../jsonrpc/message.ts';
import type { Outbound } from '../jsonrpc/peer.ts';
import type { Revision } from '../protocol/revisions.ts';

/**
 * What a channel tells the client.
 * @example const hang = (events: ChannelEvents): void => events.closed('the line went dead');
 */
export interface ChannelEvents {
  /** the text of one message */
  message(text: string): void;
  /** something that was dropped because it could not be read; the conversation goes on */
  fault(error: Error): void;
  /** the conversation is over; told once, and nothing is told after it */
  closed(reason: string): void;
  /** the text of what was sent as the answer to one request */
  answer(id: Id, text: string): void;
  /** a request that will have no answer; the conversation goes on */
  failed(id: Id, error: Error): void;
  /** whether the answer to a request is still waited for */
  waits(id: Id): boolean;
  /** a request does not get on until something else is done, such as a login; that does not count as its time */
  heldUp(id: Id, until: Promise<unknown>): void;
  /** the server had forgotten the conversation, and it was begun anew: what the server was told before is lost */
  renewed(): void;
  /** something that the server said unasked may be lost; the conversation goes on */
  missed(): void;
}

/** How a request is sent again. */
export interface Again {
  /** milliseconds to wait before */
  readonly after: number;
  /** the number of that attempt; it can be low again after one that was worth it */
  readonly attempt: number;
}

/**
 * One conversation with one server, a message at a time.
 * @example const isIdle = (channel: Channel): boolean => channel.drained() === undefined;
 */
export interface Channel {
  /** Begins to tell what the server says; nothing is lost before. */
  start(events: ChannelEvents): void;
  /** Sends the text of a message; `message` says what it is, unless it is a response. */
  send(text: JsonText, message?: Outbound): void;
  /** Waits until the server has taken in enough for more, or is gone; undefined when there is nothing to wait for. */
  drained(): Promise<void> | undefined;
  /** Ends the conversation in order and resolves when everything that belongs to it has ended. */
  close(): Promise<void>;
  /**
   * A name for the credentials that requests carry now, which holds nothing of them; results that are private are kept
   * for one name alone.
   */
  readonly credentials?: string | undefined;
  /** Hears the revision that both sides talk from now on. */
  settle?(revision: Revision): void;
  /** Lets go of a request that was given up; true when that tells the server too, or it never heard of it. */
  abandon?(id: Id): boolean;
  /** Reads a result before the client does, and gives what of it can be used over this channel. */
  inspect?(method: string, result: Params): Params;
  /** Whether and when a request that failed may be sent again, under another id. */
  again?(message: Outbound, error: unknown, attempt: number): Again | undefined;
}

/**
 * Where servers come from: every `open` gives a new conversation, such as a new process.
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
  /** true when only revisions with a handshake can be talked, so that there is nothing to probe for */
  readonly handshakeOnly?: boolean;
}
