import { ToolError } from '@rootbound/protocol';
import type { Held } from '../run/run.ts';
import { type Answer, AnswerReader } from './answers.ts';

/** A request to git, and the promise of its answer. */
export class Request {
  readonly line: Buffer;
  readonly contents: boolean;
  readonly answer: Promise<Answer>;
  /** processes that died while they answered it */
  deaths = 0;
  #maxBytes: number;
  #settled = false;
  #resolve!: (answer: Answer) => void;
  #reject!: (error: unknown) => void;

  /** With `maxBytes`, requests an object's bytes unless they are more. */
  constructor(line: Buffer, maxBytes: number | undefined) {
    this.line = line;
    this.contents = maxBytes !== undefined;
    this.#maxBytes = maxBytes ?? 0;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // nobody may be listening when it fails
    this.answer.catch(() => undefined);
  }

  get settled(): boolean {
    return this.#settled;
  }

  get maxBytes(): number {
    return this.#settled ? -1 : this.#maxBytes;
  }

  settle(answer: Answer): void {
    this.#settled = true;
    this.#resolve(answer);
  }

  /** Keeps its place in the queue, so that later answers match their requests. */
  fail(error: unknown): void {
    this.#settled = true;
    this.#reject(error);
  }
}

/** One `cat-file --batch-command`: sends requests as they come, and matches answers in their order. */
export class Reader {
  readonly #held: Held;
  readonly #requests: Request[] = [];
  readonly #silence: NodeJS.Timeout;
  /** settles with the reason when the process has ended */
  readonly gone: Promise<unknown>;
  /** whether it takes requests */
  open = true;
  /** whether it has answered at all */
  answered = false;

  /** Milliseconds without request or answer after which the process ends. */
  constructor(held: Held, idleMs: number) {
    this.#held = held;
    this.#silence = setTimeout(() => this.#rest(), idleMs).unref();
    const answers = new AnswerReader(
      () => this.#requests[0],
      (answer) => this.#settle(answer),
    );
    this.gone = this.#read(answers);
  }

  /** The requests without an answer, the one that is being answered first. */
  get waiting(): readonly Request[] {
    return this.#requests;
  }

  ask(request: Request): void {
    this.#requests.push(request);
    this.#held.write(request.line);
    this.#silence.refresh();
  }

  /** Takes no more requests: the process ends after the last answer. */
  retire(): void {
    this.open = false;
    if (this.#requests.length > 0) return;
    this.#held.end();
    this.#silence.refresh();
  }

  #settle(answer: Answer): void {
    this.answered = true;
    this.#requests.shift()?.settle(answer);
    if (!this.open) this.retire();
  }

  async #read(answers: AnswerReader): Promise<unknown> {
    try {
      for await (const chunk of this.#held.chunks) {
        this.#silence.refresh();
        answers.read(chunk);
      }
    } catch (error) {
      this.#held.kill();
      await this.#held.died;
      return error;
    } finally {
      this.open = false;
      clearTimeout(this.#silence);
    }
    return (await this.#held.died) ?? new ToolError('git ended without an answer', { code: 'git-failed' });
  }

  /** Ends an idle process; stops one that does not answer, or does not end. */
  #rest(): void {
    const [first] = this.#requests;
    first?.fail(new ToolError('git did not answer in time', { code: 'timeout', retryable: true }));
    if (first !== undefined || !this.open) this.#held.kill();
    this.retire();
  }
}
