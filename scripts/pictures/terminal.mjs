// runs commands in a terminal and records its rows with their times
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import xterm from '@xterm/headless';

/** @typedef {{ text: string, style: string }} Run characters of one style */
/** @typedef {{ at: number, runs: Run[] }} Row a line of the screen, and the second at which it appeared */
/** @typedef {{ cwd: string, env: NodeJS.ProcessEnv, names: [string, string][] }} Surroundings names: real paths and addresses, and their names in the picture */

const COLUMNS = 100;
const ROWS = 400;
const PROMPT = '~/code $';
/** Seconds before a command appears, and after its output. */
const PAUSE = 0.8;
/** Most rows of one line. */
const MOST_PARTS = 2;

/** A terminal whose commands run one after the other. */
export class Terminal {
  #screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  /** @type {number[]} */
  #times = [];
  #now = 0;
  #surroundings;

  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.#surroundings = surroundings;
  }

  /**
   * Shows a command line and runs it to its end, as on a terminal.
   * @param {string} line
   * @returns {Promise<number | null>} its exit status
   */
  async run(line) {
    const { cwd, env } = this.#surroundings;
    this.#now += PAUSE;
    await this.#write(`\u001b[1;32m${PROMPT}\u001b[0m ${broken(this.#named(line))}\r\n`);
    const begin = performance.now();
    const start = this.#now;
    // script(1) gives the command a terminal of its own
    const sized = `stty cols ${COLUMNS} rows ${ROWS} -echo; ${line}`;
    const child = spawn('script', ['-qec', sized, '/dev/null'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      this.#now = start + (performance.now() - begin) / 1000;
      await this.#write(this.#named(chunk));
    }
    const [status] = await ended;
    this.#now = start + (performance.now() - begin) / 1000 + PAUSE;
    return status;
  }

  /**
   * Returns the lines on the screen; an ellipsis replaces the rest of a line that takes more than two rows.
   * @returns {Row[]}
   */
  rows() {
    const buffer = this.#screen.buffer.active;
    /** @type {Row[]} */
    const rows = [];
    let parts = 0;
    for (const [y, at] of this.#times.entries()) {
      const line = buffer.getLine(y);
      parts = line?.isWrapped ? parts + 1 : 1;
      if (parts <= MOST_PARTS) rows.push({ at, runs: runsOf(line) });
      else if (parts === MOST_PARTS + 1) cut(rows.at(-1));
    }
    while (rows.at(-1)?.runs.length === 0) rows.pop();
    return rows;
  }

  /** @param {string} text */
  async #write(text) {
    await /** @type {Promise<void>} */ (new Promise((resolve) => this.#screen.write(text, resolve)));
    const { baseY, cursorY } = this.#screen.buffer.active;
    while (this.#times.length < baseY + cursorY + 1) this.#times.push(this.#now);
  }

  /** @param {string} text */
  #named(text) {
    return this.#surroundings.names.reduce((named, [real, name]) => named.replaceAll(real, name), text);
  }
}

/**
 * Breaks a command line before options, into as many rows as necessary.
 * @param {string} line
 */
function broken(line) {
  let room = COLUMNS - PROMPT.length - 1;
  const parts = line.split(/ (?=--)/).map((part, at) => {
    const fits = at === 0 || part.length + 3 <= room;
    room = (fits ? room : COLUMNS - 4) - part.length - 1;
    return `${at === 0 ? '' : fits ? ' ' : ' \\\r\n    '}${part}`;
  });
  return parts.join('');
}

/**
 * @param {import('@xterm/headless').IBufferLine | undefined} line
 * @returns {Run[]}
 */
function runsOf(line) {
  /** @type {Run[]} */
  const runs = [];
  const end = line?.translateToString(true).length ?? 0;
  for (let x = 0; x < end; x += 1) {
    const cell = line?.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const last = runs.at(-1);
    const text = cell.getChars() || ' ';
    if (last?.style === style) last.text += text;
    else runs.push({ text, style });
  }
  return runs;
}

/** @param {Row | undefined} row a full one whose line continues */
function cut(row) {
  const last = row?.runs.at(-1);
  if (last !== undefined) last.text = `${last.text.slice(0, -2)} …`;
}

/** @param {import('@xterm/headless').IBufferCell} cell */
function styleOf(cell) {
  const colour = cell.isFgPalette() ? [`c${cell.getFgColor() % 8}`] : [];
  return [...colour, ...(cell.isBold() ? ['b'] : []), ...(cell.isDim() ? ['d'] : [])].join(' ');
}
