import { isUtf8 } from 'node:buffer';
import { ChunkBuffer } from './chunk-buffer.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const COLON = 58;
const BYTE_ORDER_MARK = 0xfeff;
/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** One server-sent event. */
export interface SseEvent {
  /** `message` if the stream names no type */
  readonly type: string;
  /** the data lines, joined by line feeds */
  readonly data: string;
}

export interface SseSink {
  event(event: SseEvent): void;
  /** called with the time to wait before a reconnect */
  retry(milliseconds: number): void;
  /** an event was dropped: its data is longer than the limit, or not valid UTF-8; called once per event */
  fault(reason: 'too-long' | 'not-utf8'): void;
}

/**
 * Parses a stream of server-sent events from chunks of any size. An incomplete event at the end of the stream
 * is dropped. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class SseReader {
  readonly #sink: SseSink;
  readonly #limit: number;
  readonly #pending = new ChunkBuffer();
  /** the current line is a comment */
  #comment = false;
  #skipping = false;
  #first = true;
  /** the last chunk ended with a carriage return; its line feed may be the first byte of the next chunk */
  #afterReturn = false;
  #type = '';
  #data: string | undefined;
  #dataBytes = 0;
  #damaged = false;
  #id: string | undefined;
  #lastEventId: string | undefined;

  /** `limit` is the maximum number of data bytes of one event. */
  constructor(sink: SseSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
  }

  /** The id of the last complete event with an id, or undefined. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    if (this.#afterReturn && chunk.length > 0) {
      this.#afterReturn = false;
      if (chunk[0] === LINE_FEED) start = 1;
    }
    const end = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN)) + 1;
    if (end <= start) {
      this.#hold(chunk.subarray(start));
      return;
    }
    this.#afterReturn = end === chunk.length && chunk[end - 1] === CARRIAGE_RETURN;
    if (this.#skipping || this.#pending.length > 0) start = this.#completeHeld(chunk, start);
    if (start < end) this.#lines(chunk.subarray(start, end));
    if (end < chunk.length) this.#hold(chunk.subarray(end));
  }

  /** Completes the buffered line; returns the offset at which the next line starts. */
  #completeHeld(chunk: Uint8Array, start: number): number {
    let end = start;
    while (chunk[end] !== LINE_FEED && chunk[end] !== CARRIAGE_RETURN) end += 1;
    this.#hold(chunk.subarray(start, end));
    if (!this.#skipping) this.#lines(this.#pending.take());
    this.#skipping = false;
    const next = end + 1;
    return chunk[end] === CARRIAGE_RETURN && chunk[next] === LINE_FEED ? next + 1 : next;
  }

  #hold(bytes: Uint8Array): void {
    if (this.#skipping || bytes.length === 0) return;
    if (this.#pending.length === 0) this.#comment = bytes[0] === COLON;
    // the field name is not counted, and no known field name is longer
    if (this.#pending.length + bytes.length <= this.#limit + 'data: '.length) {
      this.#pending.add(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return;
    }
    // a comment has no length limit
    if (!this.#comment) this.#damage('too-long');
    this.#pending.clear();
    this.#skipping = true;
    this.#first = false;
  }

  /** Processes complete lines. One decode for all of them is several times faster than one per line. */
  #lines(bytes: Uint8Array): void {
    let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const valid = !text.includes('�') || isUtf8(bytes);
    if (text.includes('\r')) text = text.replaceAll(/\r\n?/g, '\n');
    if (this.#first) {
      this.#first = false;
      if (text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    }
    let start = 0;
    while (start < text.length) {
      const found = text.indexOf('\n', start);
      const end = found < 0 ? text.length : found;
      const line = text.slice(start, end);
      if (!valid && line.includes('�')) this.#damage('not-utf8');
      this.#line(line);
      start = end + 1;
    }
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    switch (name) {
      case 'data':
        this.#append(value);
        return;
      case 'event':
        this.#type = value;
        return;
      case 'id':
        if (!value.includes('\0')) this.#id = value;
        return;
      case 'retry':
        if (/^\d+$/.test(value)) this.#sink.retry(Number(value));
        return;
      default:
      // other fields are ignored
    }
  }

  #append(value: string): void {
    // the line feed that joins two data lines
    if (this.#data !== undefined) this.#dataBytes += 1;
    const longest = value.length * BYTES_PER_UNIT + this.#dataBytes;
    this.#dataBytes += longest > this.#limit ? Buffer.byteLength(value) : value.length;
    if (this.#dataBytes > this.#limit) this.#damage('too-long');
    if (this.#damaged) return;
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }

  #damage(reason: 'too-long' | 'not-utf8'): void {
    if (!this.#damaged) this.#sink.fault(reason);
    this.#damaged = true;
    this.#data = undefined;
  }

  #dispatch(): void {
    const [type, data] = [this.#type === '' ? 'message' : this.#type, this.#data];
    this.#type = '';
    this.#data = undefined;
    this.#dataBytes = 0;
    this.#damaged = false;
    this.#lastEventId = this.#id;
    if (data !== undefined) this.#sink.event({ type, data });
  }
}
