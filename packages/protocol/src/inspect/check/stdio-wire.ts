import type { Channel } from '../../client/transport.ts';
import { type ChildOptions, childProcess } from '../../transports/child.ts';
import type { Sending, Wire } from './wire.ts';

/** The standard streams of a server process, with one message per line. */
export class StdioWire implements Wire {
  readonly #channel: Channel;
  readonly closed: Promise<void>;
  #gone: () => void = () => {};
  /** faults of lines that could not be read */
  readonly faults: string[] = [];

  private constructor(channel: Channel) {
    this.#channel = channel;
    this.closed = new Promise((resolve) => {
      this.#gone = resolve;
    });
  }

  /** Starts a server process. */
  static async open(options: ChildOptions): Promise<StdioWire> {
    return StdioWire.over(await childProcess(options).open());
  }

  /** Returns a wire over a channel with one message per line. */
  static over(channel: Channel): StdioWire {
    return new StdioWire(channel);
  }

  start(hear: (text: string) => void): void {
    this.#channel.start({
      message: hear,
      fault: (error) => this.faults.push(error.message),
      closed: () => this.#gone(),
      answer: (_id, text) => hear(text),
      failed: () => {},
      waits: () => false,
      heldUp: () => {},
      renewed: () => {},
      missed: () => {},
    });
  }

  async send({ text }: Sending): Promise<undefined> {
    this.#channel.send(text);
  }

  close(): Promise<void> {
    return this.#channel.close();
  }
}
