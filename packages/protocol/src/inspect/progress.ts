import type { ProgressUpdate } from '../jsonrpc/peer.ts';
import { visible } from '../protocol/visible.ts';
import type { Io } from './io.ts';

const WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** Shows progress on stderr: a bar that is drawn again on a terminal, a line each elsewhere. */
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

  /** The same place to write to, where the bar is taken away before other lines come. */
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

  /** Takes the bar away, so that other lines can be written. */
  clear(): void {
    if (this.#drawn) this.#io.err(CLEAR_LINE);
    this.#drawn = false;
  }
}

function barOf(share: number): string {
  const done = Math.round(Math.min(Math.max(share, 0), 1) * WIDTH);
  return `[${'#'.repeat(done)}${'-'.repeat(WIDTH - done)}]`;
}
