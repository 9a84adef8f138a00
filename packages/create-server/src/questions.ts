import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { Problem } from './problem.ts';

/** A question on a terminal, with the answer that an empty line gives. */
export interface Question<T> {
  readonly text: string;
  readonly usual: string;
  /** what an answer means; throws a Problem that says why it will not do */
  read(answer: string): T;
}

/** Somebody who can be asked. */
export interface Person {
  ask<T>(question: Question<T>): Promise<T>;
  /** asks no more */
  leave(): void;
}

/** Asks on a terminal until an answer will do; the signal, Ctrl+C or the end of the input end it with an AbortError. */
export function personAt(input: Readable, output: Writable, signal: AbortSignal): Person {
  const lines = createInterface({ input, output });
  const gone = new AbortController();
  lines.on('SIGINT', () => gone.abort());
  lines.on('close', () => gone.abort());
  const ended = AbortSignal.any([signal, gone.signal]);
  return {
    async ask({ text, usual, read }) {
      for (;;) {
        const answer = await lines.question(`${text}${usual === '' ? '' : ` (${usual})`}: `, {
          signal: ended,
        });
        try {
          return read(answer.trim() || usual);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          output.write(`${error.message}\n`);
        }
      }
    },
    leave: () => lines.close(),
  };
}

/** What yes and no mean. */
export function yesOrNo(answer: string): boolean {
  if (/^y(es)?$/i.test(answer)) return true;
  if (/^no?$/i.test(answer)) return false;
  throw new Problem('answer yes or no');
}
