import { readSync, writeSync } from 'node:fs';
import { codeOf } from '../shared/error.ts';
import { frame, HEADER_BYTES } from '../shared/frames.ts';

const STDIN = 0;
const STDOUT = 1;

export interface Incoming {
  readonly kind: number;
  readonly bytes: Buffer;
}

/** Buffer of bytes read and not yet consumed, mostly one whole frame. */
const buffer = Buffer.allocUnsafe(64 << 10);
let start = 0;
let end = 0;

/** Reads the next frame, blocking; returns undefined if the server is gone. */
export function readFrame(): Incoming | undefined {
  if (!ensureBuffered(HEADER_BYTES)) return undefined;
  const length = buffer.readUInt32LE(start);
  const kind = buffer[start + HEADER_BYTES - 1]!;
  start += HEADER_BYTES;
  const bytes = Buffer.allocUnsafe(length);
  const got = buffer.copy(bytes, 0, start, Math.min(end, start + length));
  start += got;
  return fill(bytes, got) ? { kind, bytes } : undefined;
}

/** Reads until the buffer holds `bytes`, a small number; returns false at the end of the input. */
function ensureBuffered(bytes: number): boolean {
  if (end - start >= bytes) return true;
  buffer.copyWithin(0, start, end);
  end -= start;
  start = 0;
  while (end < bytes) {
    const got = readSome(buffer, end);
    if (got === 0) return false;
    end += got;
  }
  return true;
}

function fill(bytes: Buffer, from: number): boolean {
  for (let at = from; at < bytes.length; ) {
    const got = readSome(bytes, at);
    if (got === 0) return false;
    at += got;
  }
  return true;
}

function readSome(bytes: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(STDIN, bytes, at, bytes.length - at, null);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') return 0; // the end of a pipe on Windows
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

export function writeFrame(kind: number, parts: readonly (Buffer | string)[]): void {
  const bytes = frame(kind, parts);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(STDOUT, bytes, at, bytes.length - at);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** Waits before a non-blocking pipe is tried again. */
function pause(): void {
  Atomics.wait(idle, 0, 0, 1);
}

const idle = new Int32Array(new SharedArrayBuffer(4));
