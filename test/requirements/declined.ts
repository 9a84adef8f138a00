import { readFileSync } from 'node:fs';
import type { Declined } from './tally.ts';

/** The requirements of `declined.jsonl`, each with the reason why it is not followed. */
export function readDeclined(): Declined[] {
  const text = readFileSync(new URL('./declined.jsonl', import.meta.url), 'utf8');
  // the tally checks each row
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Declined);
}
