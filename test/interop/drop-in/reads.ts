import type { Case } from './cases.ts';

const files = [
  'lines.txt',
  'open.txt',
  'crlf.txt',
  'mixed.txt',
  'empty.txt',
  'blank.txt',
  'long.txt',
  'wide.txt',
  'bom.txt',
  'latin1.txt',
  'utf16.txt',
  'data.bin',
  'no extension',
];

const parts: readonly Record<string, number>[] = [
  { head: 1 },
  { head: 2 },
  { head: 100 },
  { head: 0 },
  { head: -1 },
  { head: 1.5 },
  { tail: 1 },
  { tail: 2 },
  { tail: 100 },
  { tail: 0 },
  { tail: -1 },
  { tail: 1.5 },
  { head: 1, tail: 1 },
  { head: 0, tail: 1 },
];

/** Reads of every file, whole and in parts, of pictures and sounds, and of many files at once. */
export const reads: readonly Case[] = [
  ...files.map((file) => readOf(file, {})),
  // values that the schema allows without a meaning are tried on one file
  ...files.flatMap((file) =>
    parts.filter((part) => isPlain(part) || file === 'lines.txt').map((part) => readOf(file, part)),
  ),
  ...['picture.png', 'sound.wav', 'fake.png', 'data.bin', 'lines.txt', 'empty.txt', 'no extension'].map(
    (file): Case => ({
      name: `read_media_file ${file}`,
      tool: 'read_media_file',
      args: ({ folder }) => ({ path: `${folder}/${file}` }),
    }),
  ),
  many('two', ['lines.txt', 'open.txt']),
  many('one twice', ['lines.txt', 'lines.txt']),
  many('one missing', ['lines.txt', 'none.txt', 'open.txt']),
  many('all missing', ['none.txt', 'nothing.txt']),
  many('a folder among them', ['sub', 'lines.txt']),
  many('other encodings', ['latin1.txt', 'bom.txt', 'utf16.txt']),
  { name: 'read_multiple_files none', tool: 'read_multiple_files', args: () => ({ paths: [] }) },
];

function isPlain(part: Record<string, number>): boolean {
  const values = Object.values(part);
  return values.length === 1 && Number.isInteger(values[0]) && values[0]! > 0;
}

function readOf(file: string, part: Record<string, number>): Case {
  const lines = Object.entries(part).map(([key, value]) => ` ${key} ${value}`);
  return {
    name: `read_text_file ${file}${lines.join('')}`,
    tool: 'read_text_file',
    args: ({ folder }) => ({ path: `${folder}/${file}`, ...part }),
  };
}

function many(name: string, names: readonly string[]): Case {
  return {
    name: `read_multiple_files ${name}`,
    tool: 'read_multiple_files',
    args: ({ folder }) => ({ paths: names.map((file) => `${folder}/${file}`) }),
  };
}
