/** The input and output of the inspector. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** true if printed lines can be overwritten */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** returns all of stdin */
  readInput(): Promise<string>;
  /** asks the user at the terminal; undefined without a terminal */
  readonly ask: ((question: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** calls the listener at Ctrl-C, until the returned function is called */
  onInterrupt(interrupted: () => void): () => void;
}

/** The streams of this process. */
export const processIo: Io = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  get outIsTerminal() {
    return process.stdout.isTTY === true;
  },
  get errIsTerminal() {
    return process.stderr.isTTY === true;
  },
  readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
  get ask() {
    return process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : undefined;
  },
  onInterrupt(interrupted) {
    process.once('SIGINT', interrupted);
    return () => void process.off('SIGINT', interrupted);
  },
};

async function askOnTerminal(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await reader.question(question, { signal });
  } finally {
    reader.close();
  }
}
