import type { Result } from './side.ts';

/** The outcome of a call: whether it failed, the facts in its text, and the files on disk afterwards. */
export interface Outcome {
  refused: boolean;
  facts?: unknown;
  disk?: Record<string, string>;
}

type Reading = (text: string, result: Result) => unknown;

/** Parsers for the facts in the text of each tool's result, for both servers. */
const readings: Readonly<Record<string, Reading>> = {
  read_file: (text) => text,
  read_text_file: (text) => text,
  read_multiple_files: files,
  read_media_file: (_text, { content: [first] }) => ({
    type: first!.type,
    mimeType: first!.mimeType ?? first!.resource?.mimeType,
    data: first!.data ?? first!.resource?.blob ?? Buffer.from(first!.resource?.text ?? '').toString('base64'),
  }),
  write_file: () => undefined,
  create_directory: () => undefined,
  move_file: () => undefined,
  edit_file: (text) => text.split('\n').filter((line) => /^[+-](?!\+\+|--)/.test(line)),
  list_directory: (text) => lines(text).map(entry).sort(),
  list_directory_with_sizes: sizes,
  directory_tree: tree,
  search_files: (text) =>
    lines(text)
      .map((line) => line.replace(/^<folder>\/?/, '').replace(/\/$/, ''))
      .sort(),
  get_file_info: info,
  list_allowed_directories: (text) => lines(text).filter((line) => line.startsWith('<')),
};

/** Returns the outcome with the folders of a side replaced by names, so that both sides can be compared. */
export function outcomeOf(tool: string, result: Result, folder: string, root: string): Outcome {
  if (result.isError === true) return { refused: true };
  const text = (result.content[0]?.text ?? '').replaceAll(folder, '<folder>').replaceAll(root, '<root>');
  return { refused: false, facts: readings[tool]!(text, result) };
}

/** Returns the lines of a listing without notes in brackets and without the text for an empty one. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^\[(?!DIR|FILE|LINK|OTHER)|^No matches/.test(line));
}

/** Maps entry types; the official server reports links and special files as files. */
function entry(line: string): string {
  return line.replace(/^\[(LINK|OTHER)\]/, '[FILE]');
}

function sizes(text: string): unknown {
  const listed = lines(text).map(entry);
  return {
    entries: listed
      .filter((line) => line.startsWith('['))
      .map((line) => {
        const [, kind, name, size] =
          /^\[(\w+)\] (.*?)(?:\s+([\d.]+ (?:bytes?|[KMG]?B))(?:\s.*)?|\s{2,}.*|\s*)$/.exec(line)!;
        return [kind, name, bytes(size)];
      }),
    total: listed.find((line) => line.startsWith('Total:')),
    size: bytes(/^Combined size: (.*)$/m.exec(text)?.[1]),
  };
}

function bytes(size: string | undefined): number | undefined {
  const [, count, unit = ''] = /^([\d.]+) ?(\w*)$/.exec(size ?? '') ?? [];
  if (count === undefined) return undefined;
  const power = Math.max(0, ['K', 'M', 'G'].indexOf(unit[0] ?? '') + 1);
  // one of the two servers writes more digits
  return Math.round(Number(count) * 10) * 1024 ** power;
}

interface Node {
  name: string;
  type: string;
  children?: Node[];
}

/** Returns the paths of a tree, folders with a slash, from JSON of the official server or indented lines of this one. */
function tree(text: string): string[] {
  if (/^\[(\]|\n)/.test(text)) {
    const walk = (nodes: Node[], above: string): string[] =>
      nodes.flatMap(({ name, type, children }) => [
        above + name + (type === 'directory' ? '/' : ''),
        ...walk(children ?? [], `${above}${name}/`),
      ]);
    return walk(JSON.parse(text) as Node[], '').sort();
  }
  const above: string[] = [];
  return lines(text)
    .map((line) => {
      const [, indent, name] = /^( *)(.*)$/.exec(line)!;
      above.length = indent!.length / 2;
      const path = above.join('') + name!.replace(/ \[(link|other)\]$/, '');
      above.push(name!);
      return path;
    })
    .sort();
}

function info(text: string): unknown {
  const fields = Object.fromEntries(lines(text).map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return {
    directory: (fields.isDirectory ?? String(fields.type === 'directory')) === 'true',
    file: (fields.isFile ?? String(fields.type === 'file')) === 'true',
    // the size of a directory depends on the file system
    ...(fields.isDirectory !== 'true' && fields.type !== 'directory' && { size: fields.size }),
    permissions: fields.permissions,
    modified: Math.floor(new Date(fields.modified ?? 0).getTime() / 1000),
  };
}

/** Returns the text of each file, or that there is none, without line ends at its end, which belong to the separator. */
function files(text: string): unknown {
  return text.split('\n---\n').map((part) => {
    const [, path, content] = /^(.*?):\n(.*)$/s.exec(part) ?? [];
    return content === undefined || path!.includes('\n') ? 'refused' : [path, content.replace(/\n*$/, '')];
  });
}
