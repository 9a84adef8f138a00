import { styleText } from 'node:util';
import { visible } from '../visible.mjs';

const WIDTH = 80;
const MARGIN = '  ';
const LABEL = 14;
const INDENT = MARGIN + ' '.repeat(LABEL);
const BAR = 24;

/** @typedef {ReturnType<typeof createScreen>} Screen */

/**
 * Returns a printer of lines: coloured and redrawn in a terminal, plain elsewhere.
 * @param {NodeJS.WriteStream} stream
 */
export function createScreen(stream) {
  const terminal = stream.isTTY === true;
  const { NO_COLOR, TERM } = process.env;
  const paint = painter(terminal && !NO_COLOR && TERM !== 'dumb');
  const width = Math.min(WIDTH, (terminal && stream.columns) || WIDTH) - 1;
  let open = false;

  const print = (/** @type {string} */ text) => void stream.write(`${text}\n`);
  /** ends a line that is being redrawn */
  const end = () => {
    if (open) stream.write('\n');
    open = false;
  };

  return {
    end,

    /** @param {string} name @param {string} words */
    title(name, words) {
      print(`\n${MARGIN}${paint(['bold', 'cyan'], name)}  ${words}`);
      print(paint('dim', MARGIN + '─'.repeat(width - MARGIN.length)));
    },

    /** @param {string} name @param {string} words */
    section(name, words) {
      print(`\n${MARGIN}${paint('bold', name)}  ${paint('dim', words)}\n`);
    },

    /**
     * Prints a label and a text, wrapped beside it.
     * @param {string} label @param {string} text
     */
    row(label, text) {
      const [first, ...rest] = wrap(visible(text), width - INDENT.length);
      print(`${MARGIN}${paint('cyan', label.padEnd(LABEL))}${first ?? ''}`);
      for (const line of rest) print(INDENT + line);
    },

    /**
     * Prints a text of the server; invisible characters, and those that move others, are escapes.
     * @param {string} text @param {'dim' | 'yellow'} colour
     */
    quote(text, colour = 'dim') {
      const lines = text.split(/\r?\n/).flatMap((one) => wrap(visible(one), width - INDENT.length - 2));
      for (const line of lines) {
        print(`${INDENT}${paint('dim', '│')}${line === '' ? '' : ` ${paint(colour, line)}`}`);
      }
    },

    /**
     * Draws a progress bar over the previous one; prints nothing outside a terminal.
     * @param {number} part from 0 to 1
     */
    bar(part) {
      if (!terminal) return;
      const full = Math.floor(Math.min(1, part) * BAR);
      const drawn = paint('green', '█'.repeat(full)) + paint('dim', '░'.repeat(BAR - full));
      const percent = `${Math.floor(part * 100)} %`.padStart(6);
      stream.write(`\r${INDENT}${drawn}${percent}`);
      open = true;
    },

    /**
     * Prints a text to be copied.
     * @param {string} name @param {string} place @param {string} text
     */
    paste(name, place, text) {
      print(`${MARGIN}${paint('cyan', name)}  ${paint('dim', place)}\n`);
      print(`${text.trimEnd()}\n`);
    },
  };
}

/**
 * @param {boolean} coloured
 * @returns {(style: Parameters<typeof styleText>[0], text: string) => string}
 */
function painter(coloured) {
  return coloured ? (style, text) => styleText(style, text) : (_style, text) => text;
}

/**
 * Breaks a text between words into lines that fit; a longer word stays whole.
 * @param {string} text @param {number} room
 */
function wrap(text, room) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
