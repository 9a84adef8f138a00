import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StreamChannel } from '../client/streams.ts';
import type { Channel, ChannelEvents, Transport } from '../client/transport.ts';
import { ConnectionError } from '../jsonrpc/errors.ts';
import type { JsonText } from '../jsonrpc/message.ts';

/**
 * Options of a server process.
 * @example
 * const options: ChildOptions = { command: 'node', args: ['server.js'], env: { LANG: 'C' }, stderr: 'ignore' };
 * childProcess(options);
 */
export interface ChildOptions {
  /** the program, found through PATH; started without a shell */
  command: string;
  args?: readonly string[];
  /** additional variables; otherwise only the few that every program needs are passed on, such as PATH and HOME */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** receives the server's stderr: this process's stderr (default), nobody, or a function */
  stderr?: 'inherit' | 'ignore' | ((text: string) => void);
  /** maximum size of a message of the server in bytes; a longer one is dropped and reported. Default 64 MiB */
  messageLimit?: number;
  /** milliseconds that the server may take to exit, at the end of its input and again after SIGTERM; default 2,000 */
  endGrace?: number;
}

/** The variables that programs need and that contain no secrets. */
const inherited =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROGRAMFILES',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

/** The part of the server's stderr that is kept for the error message, in characters and in lines. */
const STDERR_CHARACTERS = 2000;
const STDERR_LINES = 3;
/**
 * The longest time in which output may arrive after the process has exited, if another process holds its
 * streams open.
 */
const STREAM_GRACE_MS = 500;

/** Running servers; they end with this process. */
const running = new Set<ChildProcess>();

/**
 * Returns a transport that starts a server process for each connection and ends it with the connection.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 * @example
 * const script = 'process.stdin.on("end", () => process.exit())';
 * const transport = childProcess({ command: process.execPath, args: ['-e', script] });
 * const { close } = await connect(transport, { name: 'me', version: '1.0.0', era: { pinned: '2026-07-28' } });
 */
export function childProcess(options: ChildOptions): Transport {
  return { open: () => start(options) };
}

async function start(options: ChildOptions): Promise<Channel> {
  const { spawn } = await import('node:child_process');
  const { command, args = [], cwd } = options;
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environmentOf(options),
    windowsHide: true,
    ...(cwd !== undefined && { cwd }),
  });
  await started(child, command);
  endWithUs(child);
  return new ChildChannel(child, options);
}

function environmentOf({ env }: ChildOptions): Record<string, string> {
  const kept = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), ...env };
}

function started(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === 'ENOENT' ? 'no such program, or no such working directory' : cause.message;
      reject(new ConnectionError('closed', `cannot start ${command}: ${reason}`, { cause }));
    });
  });
}

function endWithUs(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** A connection to one server process over its standard streams. */
class ChildChannel implements Channel {
  readonly #child: ChildProcess;
  readonly #stream: StreamChannel;
  readonly #grace: number;
  readonly #exited: Promise<void>;
  /** settled when the process has exited and its output has ended */
  readonly #over: Promise<void>;
  #stderrEnd = '';
  #closing = false;

  constructor(child: ChildProcess, { stderr = 'inherit', messageLimit, endGrace = 2000 }: ChildOptions) {
    this.#child = child;
    this.#grace = endGrace;
    // the process was started with pipes
    const [input, output, errors] = [child.stdout!, child.stdin!, child.stderr!] as [
      Readable,
      Writable,
      Readable,
    ];
    const limit = messageLimit === undefined ? {} : { messageLimit };
    this.#stream = new StreamChannel({ input, output }, limit, () => void this.close());
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.#over = overOf(child);
    void this.#over.then(() => this.#stream.end(this.#exitReason()));
    errors.setEncoding('utf8');
    errors.on('data', (text: string) => {
      this.#stderrEnd = (this.#stderrEnd + text).slice(-STDERR_CHARACTERS);
      if (stderr === 'inherit') process.stderr.write(text);
      else if (stderr !== 'ignore') stderr(text);
    });
  }

  start(events: ChannelEvents): void {
    this.#stream.start(events);
  }

  send(text: JsonText): void {
    this.#stream.send(text);
  }

  drained(): Promise<void> | undefined {
    return this.#stream.drained();
  }

  /** Closes the server's input, then sends SIGTERM, then SIGKILL; also if one of its streams has ended. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      const { stdin, stdout } = this.#child;
      stdin?.end();
      stdout?.resume();
      if (!(await this.#exits())) {
        this.#child.kill('SIGTERM');
        if (!(await this.#exits())) this.#child.kill('SIGKILL');
      }
    }
    await this.#over;
  }

  /** Returns true if the server exits within the grace. */
  async #exits(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#grace);
    });
    const exited = await Promise.race([this.#exited.then(() => true), late]);
    clearTimeout(timer);
    return exited;
  }

  /** Returns one line with the exit status and the end of stderr. */
  #exitReason(): string {
    const { exitCode, signalCode, spawnfile } = this.#child;
    const how = signalCode === null ? `with code ${exitCode}` : `by ${signalCode}`;
    const lines = this.#stderrEnd.split('\n').map((line) => line.trim());
    const words = lines
      .filter((line) => line !== '')
      .slice(-STDERR_LINES)
      .join(' | ');
    return `${spawnfile} ended ${how}${words === '' ? '' : `; end of stderr: ${words}`}`;
  }
}

/** Resolves when a process and its streams have ended; does not wait for a grandchild that holds them open. */
function overOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const over = (): void => {
      clearTimeout(timer);
      for (const stream of child.stdio) stream?.destroy();
      resolve();
    };
    child.once('close', over);
    child.once('exit', () => {
      // read output that arrived while this process was busy
      timer = setTimeout(() => setImmediate(over), STREAM_GRACE_MS);
    });
  });
}
