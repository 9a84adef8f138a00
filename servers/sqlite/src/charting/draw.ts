import { spawn } from 'node:child_process';
import { guarded } from '@rootbound/kit/call';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Drawing } from './drawing.ts';

export interface DrawOptions {
  /** path of the built module that draws */
  readonly file: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export interface Drawn {
  readonly svg: string;
  readonly png: Buffer;
}

/** Without V8's worker threads drawing takes less memory and no more time. */
const nodeFlags = ['--max-old-space-size=256', '--v8-pool-size=0'];
const MOST_STDERR = 4096;

/** Draws in a child process, which is killed at the deadline or when the signal aborts. */
export function draw(drawing: Drawing, { file, deadlineMs, signal }: DrawOptions): Promise<Drawn> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { PATH, SystemRoot } = process.env;
    const child = spawn(process.execPath, [...nodeFlags, file], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...defined({ PATH, SystemRoot }) },
      windowsHide: true,
      signal,
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
    });
    const pieces: Buffer[] = [];
    let stderr = '';
    let failed: Error | undefined;
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MOST_STDERR);
    });
    // the exit code reports the failure
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      failed = error;
    });
    const ended = (code: number | null, end: NodeJS.Signals | null): void => {
      if (code === 0) resolve(cut(Buffer.concat(pieces)));
      else if (failed !== undefined) reject(failed);
      else if (end === 'SIGKILL') reject(tooLate(deadlineMs));
      else if (end === 'SIGABRT') reject(outOfMemory());
      else reject(new Error(stderr.trim() || `the process that draws ended with ${code}`));
    };
    child.on('close', guarded(ended, reject));
    child.stdin.end(JSON.stringify(drawing));
  });
}

const LENGTH_BYTES = 4;

function cut(bytes: Buffer): Drawn {
  const end = LENGTH_BYTES + bytes.readUInt32LE(0);
  return { svg: bytes.toString('utf8', LENGTH_BYTES, end), png: bytes.subarray(end) };
}

function tooLate(deadlineMs: number): ToolError {
  return new ToolError(`the chart was not drawn within ${deadlineMs} ms`, {
    code: 'deadline',
    retryable: true,
    hint: 'draw fewer points, or raise timeout_ms',
  });
}

/** Returns the failure of a process that V8 aborted at its heap limit. */
function outOfMemory(): ToolError {
  return new ToolError('drawing the chart exceeded its memory limit', {
    code: 'too-large',
    hint: 'draw fewer points',
  });
}
