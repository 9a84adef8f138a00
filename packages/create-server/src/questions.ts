import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { Problem } from './problem.ts';

/** A question on a terminal, with the answer for an empty line. */
export interface Question<T> {
  readonly text: string;
  readonly usual: string;
  /** parses an answer; throws a Problem with the reason why it is invalid */
  read(answer: string): T;
}

/** A person who can be asked. */
export interface Person {
  ask<T>(question: Question<T>): Promise<T>;
  /** asks no more */
  leave(): void;
}

/**
 * Asks on a terminal until an answer is valid; the signal, Ctrl+C or the end of the input end it with an AbortError.
 */
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

/** Parses yes and no. */
export function yesOrNo(answer: string): boolean {
  if (/^y(es)?$/i.test(answer)) return true;
  if (/^no?$/i.test(answer)) return false;
  throw new Problem('answer yes or no');
}
