import type { Params } from '../../jsonrpc/message.ts';

/** A message to send. */
export interface Sending {
  readonly text: string;
  /** the method, for the HTTP headers */
  readonly method?: string;
  readonly params?: Params;
  /** HTTP headers that override the default; undefined removes one */
  readonly fields?: Readonly<Record<string, string | undefined>> | undefined;
  /** returns true when enough has arrived */
  readonly done?: () => boolean;
  /** closes the response as soon as it is done */
  readonly leave?: boolean;
  /** timeout of the response in milliseconds */
  readonly patience: number;
}

/** The reply to an HTTP request. */
export interface HttpReply {
  readonly status: number;
  /** media type in lower case, without parameters */
  readonly type: string | undefined;
  header(name: string): string | undefined;
  readonly body: string;
  /** true if the server ended the body */
  readonly ended: boolean;
  /** the method of the request, if it requires a response */
  readonly asked: string | undefined;
}

/** The response to a message. */
export interface Answer {
  readonly response: Params | undefined;
  readonly result: Params | undefined;
  readonly error: Params | undefined;
  readonly http: HttpReply | undefined;
  /** true if the timeout ended before the response */
  readonly late: boolean;
}

/** An HTTP request without a reply within the timeout. */
export class Unanswered extends Error {}

/** A connection to a server on which any text can be sent. */
export interface Wire {
  /** Starts to deliver received texts. */
  start(hear: (text: string) => void): void;
  /** Sends a message; over HTTP it returns the reply when that has ended. */
  send(message: Sending): Promise<HttpReply | undefined>;
  /** resolves when the server has disconnected */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}
