import type { ProgressUpdate } from '../jsonrpc/peer.ts';
import { visible } from '../protocol/visible.ts';
import type { Io } from './io.ts';

const WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** Prints progress on stderr: on a terminal a bar that is updated, elsewhere a line per report. */
export class Progress {
  readonly #io: Io;
  #drawn = false;

  constructor(io: Io) {
    this.#io = io;
  }

  update({ progress, total, message = '' }: ProgressUpdate): void {
    const amount = total === undefined ? String(progress) : `${progress}/${total}`;
    const text = visible(message);
    if (!this.#io.errIsTerminal) {
      this.#io.err(`progress ${amount}${text === '' ? '' : ` ${text}`}\n`);
      return;
    }
    const bar = total === undefined || total <= 0 ? '' : `${barOf(progress / total)} `;
    this.#io.err(`${CLEAR_LINE}${bar}${amount} ${text.slice(0, WIDTH * 2)}`);
    this.#drawn = true;
  }

  /** Returns an Io that clears the bar before it writes other lines. */
  beside(): Io {
    const io = this.#io;
    const { outIsTerminal, errIsTerminal, ask } = io;
    const cleared = (write: (text: string) => void) => (text: string) => {
      this.clear();
      write(text);
    };
    return {
      out: cleared((text) => io.out(text)),
      err: cleared((text) => io.err(text)),
      outIsTerminal,
      errIsTerminal,
      ask,
      readInput: () => io.readInput(),
      onInterrupt: (interrupted) => io.onInterrupt(interrupted),
    };
  }

  /** Clears the bar, so that other lines can be written. */
  clear(): void {
    if (this.#drawn) this.#io.err(CLEAR_LINE);
    this.#drawn = false;
  }
}

function barOf(share: number): string {
  const done = Math.round(Math.min(Math.max(share, 0), 1) * WIDTH);
  return `[${'#'.repeat(done)}${'-'.repeat(WIDTH - done)}]`;
}
