import { inspect } from '../../src/inspect/inspect.ts';
import type { Io } from '../../src/inspect/io.ts';

/** The output of a run of the inspector, and its exit status. */
export interface Outcome {
  status: number;
  out: string;
  err: string;
}

/** The input and output of a run. */
export class Desk implements Io {
  #out = '';
  #err = '';
  #interrupted: (() => void) | undefined;
  readonly #written = new Set<() => void>();
  outIsTerminal = false;
  errIsTerminal = false;
  input = '';
  ask: Io['ask'];

  get written(): string {
    return this.#out + this.#err;
  }

  get streams(): Pick<Outcome, 'out' | 'err'> {
    return { out: this.#out, err: this.#err };
  }

  out(text: string): void {
    this.#out += text;
    for (const look of this.#written) look();
  }

  err(text: string): void {
    this.#err += text;
    for (const look of this.#written) look();
  }

  readInput(): Promise<string> {
    return Promise.resolve(this.input);
  }

  onInterrupt(interrupted: () => void): () => void {
    this.#interrupted = interrupted;
    return () => {
      this.#interrupted = undefined;
    };
  }

  /** Interrupts as Ctrl-C does. */
  interrupt(): void {
    this.#interrupted?.();
  }

  /** Answers questions one after the other, and records them. */
  answering(...answers: string[]): string[] {
    const questions: string[] = [];
    this.ask = (question) => {
      questions.push(question);
      return Promise.resolve(answers.shift() ?? '');
    };
    return questions;
  }

  /** Resolves when a text has been written. */
  until(text: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.written.includes(text)) return;
        this.#written.delete(look);
        resolve();
      };
      this.#written.add(look);
      look();
    });
  }
}

/** Runs a command line to its end. */
export async function run(argv: readonly string[], desk = new Desk()): Promise<Outcome> {
  const status = await inspect(argv, desk);
  return { status, ...desk.streams };
}
