import type { Case } from './cases.ts';

interface Edit {
  oldText: string;
  newText: string;
}

const change = (oldText: string, newText: string): Edit => ({ oldText, newText });

const edits: Readonly<Record<string, [file: string, edits: Edit[]]>> = {
  'one line': ['lines.txt', [change('two', '2')]],
  'part of a line': ['lines.txt', [change('hre', 'HRE')]],
  'several lines': ['lines.txt', [change('one\ntwo\n', '1\n2\n')]],
  'two edits': ['lines.txt', [change('one', '1'), change('five', '5')]],
  'an edit of an edit': ['lines.txt', [change('one', 'first'), change('first', '1')]],
  'the second edit fails': ['lines.txt', [change('one', '1'), change('none', '0')]],
  'no such text': ['lines.txt', [change('six', '6')]],
  'text to nothing': ['lines.txt', [change('two\n', '')]],
  'nothing to text': ['lines.txt', [change('', 'zero\n')]],
  'no edits': ['lines.txt', []],
  'the same text': ['lines.txt', [change('two', 'two')]],
  'the last line without an end': ['open.txt', [change('three', '3')]],
  'text that stands twice': ['twice.txt', [change('same', 'changed')]],
  'lines that stand twice': ['tabs.py', [change('    a()\n', '    c()\n')]],
  'other indentation': ['tabs.py', [change('if x:\n  a()\n  b()', 'if x:\n  c()\n  b()')]],
  'white space at the end': ['lines.txt', [change('two  ', '2')]],
  'a file with CRLF': ['crlf.txt', [change('two', '2')]],
  'lines of a file with CRLF': ['crlf.txt', [change('one\ntwo', '1\n2')]],
  'CRLF in the edit': ['lines.txt', [change('one\r\ntwo', '1\r\n2')]],
  'mixed line ends': ['mixed.txt', [change('two', '2')]],
  'bytes that are not UTF-8': ['latin1.txt', [change('end', 'END')]],
  'a byte order mark': ['bom.txt', [change('one', '1')]],
  'an empty file': ['empty.txt', [change('a', 'b')]],
  'dollar signs': ['lines.txt', [change('two', '$& $1 $$')]],
  backticks: ['lines.txt', [change('two', '```\ncode\n```')]],
};

const contents: Readonly<Record<string, string>> = {
  'plain text': 'new\n',
  nothing: '',
  'no line end': 'new',
  CRLF: 'a\r\nb\r\n',
  'wide characters': 'größer 日本語 🙂\n',
  'a byte order mark': '\ufeffnew\n',
  NUL: 'a\0b',
  'much text': 'line of some length\n'.repeat(20_000),
};

const moves: Readonly<Record<string, [source: string, destination: string]>> = {
  'a file': ['lines.txt', 'renamed.txt'],
  'a file into a folder': ['lines.txt', 'sub/lines.txt'],
  'a file to a folder': ['lines.txt', 'nothing'],
  'a folder': ['sub', 'renamed'],
  'a folder into itself': ['sub', 'sub/deep/sub'],
  'onto a file': ['lines.txt', 'open.txt'],
  'onto a folder': ['sub', 'nothing'],
  'onto itself': ['lines.txt', 'lines.txt'],
  'into a folder that is missing': ['lines.txt', 'none/lines.txt'],
  'a missing file': ['none.txt', 'renamed.txt'],
  'a link': ['to-file', 'moved-link'],
  'a link to a folder': ['to-folder', 'moved-link'],
  'a link to nothing': ['to-none', 'moved-link'],
  'onto a link': ['lines.txt', 'to-file'],
  'onto a link to nothing': ['lines.txt', 'to-none'],
  'through a link': ['lines.txt', 'to-folder/lines.txt'],
  'a link to outside': ['exit-file', 'moved-link'],
};

const folders: Readonly<Record<string, string>> = {
  'a new one': 'made',
  'several at once': 'made/in/one/go',
  'one that is there': 'sub',
  'where a file is': 'lines.txt',
  'below a file': 'lines.txt/made',
  'through a link': 'to-folder/made',
  'where a link to nothing is': 'to-none',
  'through a link to outside': 'exit-folder/made',
};

/** Calls that change a file in every way, with and without a dry run. */
export const changes: readonly Case[] = [
  ...Object.entries(edits).flatMap(([name, [file, list]]): Case[] => [
    {
      name: `edit_file ${name}`,
      tool: 'edit_file',
      args: ({ folder }) => ({ path: `${folder}/${file}`, edits: list }),
    },
    {
      name: `edit_file ${name}, dry run`,
      tool: 'edit_file',
      args: ({ folder }) => ({ path: `${folder}/${file}`, edits: list, dryRun: true }),
    },
  ]),
  ...Object.entries(contents).flatMap(([name, content]) =>
    ['made.txt', 'lines.txt', 'to-file'].map(
      (file): Case => ({
        name: `write_file ${name} to ${file}`,
        tool: 'write_file',
        args: ({ folder }) => ({ path: `${folder}/${file}`, content }),
      }),
    ),
  ),
  ...Object.entries(moves).map(
    ([name, [source, destination]]): Case => ({
      name: `move_file ${name}`,
      tool: 'move_file',
      args: ({ folder }) => ({ source: `${folder}/${source}`, destination: `${folder}/${destination}` }),
    }),
  ),
  ...Object.entries(folders).map(
    ([name, path]): Case => ({
      name: `create_directory ${name}`,
      tool: 'create_directory',
      args: ({ folder }) => ({ path: `${folder}/${path}` }),
    }),
  ),
];
