import type { JsonText } from '../../jsonrpc/message.ts';
import type { Related, Reply } from '../../jsonrpc/peer.ts';
import { eventStreamHeaders, jsonHeaders } from './answer.ts';
import type { EventStream } from './event-stream.ts';
import type { Exchange, Headers } from './exchange.ts';
import type { Ticker, Ticking } from './ticker.ts';

export interface PostReplyOptions {
  exchange: Exchange;
  /** returns further headers of the response, when it begins */
  headers(): Headers | undefined;
  /** creates the stream for messages before the response */
  openStream(): EventStream;
  /** true if the client supports disconnecting and polling */
  polls: boolean;
  ticker: Ticker;
  /** called once, when nothing more will be written */
  done(): void;
}

/** The response to a POST of a session: JSON if nothing is sent before it, otherwise a stream that ends with it. */
export class PostReply implements Reply, Related, Ticking {
  readonly #options: PostReplyOptions;
  #stream: EventStream | undefined;
  #waited = false;
  #over = false;

  constructor(options: PostReplyOptions) {
    this.#options = options;
  }

  get related(): Related {
    return this;
  }

  get congested(): boolean {
    return this.#stream?.taken === true && this.#stream.congested;
  }

  /** True if nothing more will be written. */
  get over(): boolean {
    return this.#over;
  }

  /** Starts the keep-alive of a response that is not ready. */
  wait(): void {
    this.#options.ticker.add(this);
  }

  /** Ends the exchange without a response; `refuse` is called if nothing was sent. */
  abandon(refuse: (exchange: Exchange) => void): void {
    if (this.#over) return;
    if (this.#stream === undefined) refuse(this.#options.exchange);
    this.#end();
  }

  respond(text: JsonText): void {
    if (this.#stream !== undefined) this.#stream.write(text);
    else {
      const headers = this.#options.headers();
      this.#options.exchange.respond(200, headers ? { ...jsonHeaders, ...headers } : jsonHeaders, text);
    }
    this.#end();
  }

  dropped(): void {
    this.#begin();
    this.#end();
  }

  write(text: JsonText): void {
    this.#begin().write(text);
  }

  release(retryMs: number | undefined): void {
    if (this.#over || !this.#options.polls) return;
    this.#begin().release(retryMs);
  }

  /** Shows that the connection is alive while the response is not ready. */
  tick(): void {
    if (!this.#waited) this.#waited = true;
    else this.#begin().keepAlive();
  }

  #begin(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const { exchange, headers, openStream, polls } = this.#options;
    const stream = openStream();
    this.#stream = stream;
    const body = exchange.open(200, { ...eventStreamHeaders, ...headers() });
    stream.begin(body, polls);
    exchange.onGone(() => stream.detach(body));
    return stream;
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stream?.finish();
    this.#options.ticker.delete(this);
    this.#options.done();
  }
}
