import { renameSync } from 'node:fs';
import { refuse, systemCode } from '../scope/refusal.ts';

/** Renames an entry; on Windows it waits briefly for programs that hold the file open, as virus scanners do. */
export function renameEntry(from: string | Buffer, to: string | Buffer, displayPath: string): void {
  if (process.platform !== 'win32') renameSync(from, to);
  else retryHeld(() => renameSync(from, to), displayPath, sleep);
}

// 31 ms in total: the event loop blocks meanwhile
const pauses = [1, 2, 4, 8, 16];

const held: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Retries after each pause while the file is held; then the caller is asked to retry. */
export function retryHeld(operation: () => void, displayPath: string, pause: (ms: number) => void): void {
  for (const ms of [...pauses, 0]) {
    try {
      operation();
      return;
    } catch (error) {
      if (!held.has(systemCode(error))) throw error;
      if (ms === 0)
        throw refuse('busy', displayPath, 'another program holds it open, or it may not be changed', error);
      pause(ms);
    }
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
