import type { Params } from '../../jsonrpc/message.ts';

/** One message to send. */
export interface Sending {
  readonly text: string;
  /** what the message is, for what HTTP says of it in headers */
  readonly method?: string;
  readonly params?: Params;
  /** HTTP headers in place of the usual; undefined leaves one out */
  readonly fields?: Readonly<Record<string, string | undefined>> | undefined;
  /** whether what was wanted has been heard */
  readonly done?: () => boolean;
  /** lets go of the answer as soon as it is done */
  readonly leave?: boolean;
  /** milliseconds that an answer may take */
  readonly patience: number;
}

/** How an HTTP request was answered. */
export interface HttpReply {
  readonly status: number;
  /** media type in lower case, without parameters */
  readonly type: string | undefined;
  header(name: string): string | undefined;
  readonly body: string;
  /** whether the server ended the body by itself */
  readonly ended: boolean;
  /** the method that was asked, where it was a request that wants a response */
  readonly asked: string | undefined;
}

/** What came back for one message that was sent. */
export interface Answer {
  readonly response: Params | undefined;
  readonly result: Params | undefined;
  readonly error: Params | undefined;
  readonly http: HttpReply | undefined;
  /** patience ended before there was a response */
  readonly late: boolean;
}

/** Over HTTP, patience ended before there was a reply. */
export class Unanswered extends Error {}

/** A way to a server on which anything can be sent. */
export interface Wire {
  /** Begins to tell each text that comes. */
  start(hear: (text: string) => void): void;
  /** Sends a message; over HTTP it gives the reply once that has ended. */
  send(message: Sending): Promise<HttpReply | undefined>;
  /** resolves when the server has gone */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}
