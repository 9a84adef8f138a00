import { ToolError } from '@rootbound/protocol';
import { isOid, type Oid } from '../run/oid.ts';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface ObjectInfo {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly size: number;
}

/** The answer of git to one request. */
export type Answer =
  | { readonly kind: 'missing' | 'ambiguous' }
  /** without bytes when none were requested, or more than wanted */
  | { readonly kind: 'found'; readonly info: ObjectInfo; readonly bytes: Buffer | undefined };

/** A request that waits for its answer: whether that has bytes, and how many of them are wanted. */
export interface Expected {
  readonly contents: boolean;
  readonly maxBytes: number;
}

/** An object, as far as it has arrived. */
interface Incoming {
  readonly info: ObjectInfo;
  readonly bytes: Buffer | undefined;
  read: number;
}

const found = /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/;
/** Bytes; longer than any name that is sent and git's additions. */
const MAX_LINE = 64 << 10;

/** Reads the output of `cat-file --batch-command`; buffers no more of an object than is wanted. */
export class AnswerReader {
  readonly #expected: () => Expected | undefined;
  readonly #onAnswer: (answer: Answer) => void;
  #line = '';
  #object: Incoming | undefined;

  constructor(expected: () => Expected | undefined, onAnswer: (answer: Answer) => void) {
    this.#expected = expected;
    this.#onAnswer = onAnswer;
  }

  /** Throws when it is no answer to the request. */
  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      at = this.#object === undefined ? this.#readLine(chunk, at) : this.#readObject(chunk, at, this.#object);
    }
  }

  #readLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(0x0a, at);
    const end = newline === -1 ? chunk.length : newline;
    this.#line += chunk.toString('latin1', at, end);
    if (this.#line.length > MAX_LINE) throw unexpected();
    if (newline === -1) return end;
    const line = this.#line;
    this.#line = '';
    this.#answer(line);
    return end + 1;
  }

  #answer(line: string): void {
    const expected = this.#expected();
    if (expected === undefined) throw unexpected();
    const answer = answerOf(line);
    if (answer.kind !== 'found' || !expected.contents) {
      this.#onAnswer(answer);
      return;
    }
    const { info } = answer;
    const bytes = info.size <= expected.maxBytes ? Buffer.allocUnsafeSlow(info.size) : undefined;
    this.#object = { info, bytes, read: 0 };
  }

  #readObject(chunk: Buffer, at: number, object: Incoming): number {
    const { info, bytes, read } = object;
    const end = Math.min(chunk.length, at + info.size - read);
    bytes?.set(chunk.subarray(at, end), read);
    object.read += end - at;
    if (object.read < info.size || end === chunk.length) return end;
    if (chunk[end] !== 0x0a) throw unexpected();
    this.#object = undefined;
    this.#onAnswer({ kind: 'found', info, bytes });
    return end + 1;
  }
}

function answerOf(line: string): Answer {
  // the commit of a submodule is in another repository, and missing here
  if (/ (?:missing|submodule)$/.test(line)) return { kind: 'missing' };
  if (line.endsWith(' ambiguous')) return { kind: 'ambiguous' };
  const [, oid = '', type, digits] = found.exec(line) ?? [];
  if (!isOid(oid)) throw unexpected();
  return { kind: 'found', info: { oid, type: type as ObjectType, size: Number(digits) }, bytes: undefined };
}

function unexpected(): ToolError {
  return new ToolError('git cat-file gave an unexpected answer', { code: 'git-failed' });
}
