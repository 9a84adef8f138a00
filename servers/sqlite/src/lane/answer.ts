import { fromLane, type ReplyHead } from '../shared/frames.ts';
import { Answer } from './verb.ts';

/** Sends what a verb gives, and then does what goes on after it: whatever becomes of that, the lane is idle next. */
export function answer(
  outcome: unknown,
  write: (kind: number, parts: readonly (Buffer | string)[]) => void,
): void {
  const { facts, parts, after } = outcome instanceof Answer ? outcome : new Answer(outcome ?? null, []);
  const head: ReplyHead = { facts, parts: parts.map(({ length }) => length), ...(after && { goesOn: true }) };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(json.length);
  write(fromLane.reply, [length, json, ...parts]);
  if (after === undefined) return;
  try {
    after();
  } catch (error) {
    // the caller has its answer, and a failure would be taken for that of the next call
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
  write(fromLane.idle, []);
}
