import type { JsonText } from '../jsonrpc/message.ts';

/** What a channel tells the client. */
export interface ChannelEvents {
  /** the text of one message */
  message(text: string): void;
  /** something that was dropped because it could not be read; the conversation goes on */
  fault(error: Error): void;
  /** the conversation is over; told once, and nothing is told after it */
  closed(reason: string): void;
}

/** One conversation with one server, a message at a time. */
export interface Channel {
  /** Begins to tell what the server says; nothing is lost before. */
  start(events: ChannelEvents): void;
  send(text: JsonText): void;
  /** Waits until the server has taken in enough for more, or is gone; undefined when there is nothing to wait for. */
  drained(): Promise<void> | undefined;
  /** Ends the conversation in order and resolves when everything that belongs to it has ended. */
  close(): Promise<void>;
}

/** Where servers come from: every `open` gives a new conversation, such as a new process. */
export interface Transport {
  open(): Promise<Channel>;
}
