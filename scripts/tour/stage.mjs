import {
  closeSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOG_MEBIBYTES = 192;
const LINE_BYTES = 64;
const MEBIBYTE = 1024 * 1024;

/** A file outside the roots that every machine of this kind has. */
export const outside = process.platform === 'win32' ? 'C:\\Windows\\win.ini' : '/etc/hosts';

/** @typedef {ReturnType<typeof setStage>} Stage */

/** Creates a folder for the changes of the tour, with a long log and a link that leads outside; `clear` removes it. */
export function setStage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-tour-')));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  try {
    return {
      folder,
      log: writeLog(join(folder, 'requests.log')),
      link: linkOut(join(folder, 'innocent.txt')),
      notes: writeNotes(join(folder, 'notes.txt')),
      clear,
    };
  } catch (error) {
    clear();
    throw error;
  }
}

/** @param {string} path */
function writeLog(path) {
  const lines = Array.from({ length: MEBIBYTE / LINE_BYTES }, (_, index) => lineOf(index));
  const chunk = Buffer.from(lines.join(''));
  const last = lineOf('the line that was asked for');
  const file = openSync(path, 'w');
  try {
    for (let written = 0; written < LOG_MEBIBYTES; written++) writeSync(file, chunk);
    writeSync(file, last);
  } finally {
    closeSync(file);
  }
  return { path, mebibytes: LOG_MEBIBYTES, lines: LOG_MEBIBYTES * lines.length + 1, last: last.trimEnd() };
}

/** @param {number | string} what */
function lineOf(what) {
  return `${`request ${what} was answered`.padEnd(LINE_BYTES - 1)}\n`;
}

/** @param {string} path */
function writeNotes(path) {
  writeFileSync(path, 'nothing has changed yet\n');
  return path;
}

/** Creates a link to a file outside, or returns undefined where links need a privilege. @param {string} path */
function linkOut(path) {
  if (process.platform === 'win32') return undefined;
  symlinkSync(outside, path);
  return path;
}
