import { pathToFileURL } from 'node:url';
import type { At, Case } from './cases.ts';

/** Spellings of the path of a file. */
const ofFiles: Readonly<Record<string, (at: At) => string>> = {
  absolute: ({ folder }) => `${folder}/lines.txt`,
  relative: ({ below }) => `${below}/lines.txt`,
  'relative with a dot': ({ below }) => `./${below}/lines.txt`,
  'double slash': ({ folder }) => `${folder}//lines.txt`,
  'up and down again': ({ folder }) => `${folder}/sub/../lines.txt`,
  home: ({ below }) => `~/${below}/lines.txt`,
  'through a link to a folder': ({ folder }) => `${folder}/to-folder/inner.txt`,
  'a link to a file': ({ folder }) => `${folder}/to-file`,
  'a name with another normal form': ({ folder }) => `${folder}/${'café'.normalize('NFD')}/menu.txt`,
  quoted: ({ folder }) => `"${folder}/lines.txt"`,
  'file URI': ({ folder }) => pathToFileURL(`${folder}/lines.txt`).href,
  'a slash at the end': ({ folder }) => `${folder}/lines.txt/`,
  'below a file': ({ folder }) => `${folder}/lines.txt/more`,
  'another case': ({ folder }) => `${folder}/LINES.TXT`,
  missing: ({ folder }) => `${folder}/none.txt`,
  'missing parent': ({ folder }) => `${folder}/none/none.txt`,
  'a folder': ({ folder }) => `${folder}/sub`,
  'a link to nothing': ({ folder }) => `${folder}/to-none`,
  'a link to a file outside': ({ folder }) => `${folder}/exit-file`,
  'through a link outside': ({ folder }) => `${folder}/exit-folder/secret.txt`,
  outside: ({ outside }) => `${outside}/secret.txt`,
  'a sibling with the prefix': ({ root }) => `${root}-sibling/secret.txt`,
  'up and out': ({ below }) => `${below}/../../outside/secret.txt`,
  'a system file': () => '/etc/hostname',
  'a Windows path': () => 'C:\\Users\\me\\lines.txt',
  NUL: ({ folder }) => `${folder}/lines.txt\0.png`,
  empty: () => '',
};

/** Spellings of the path of a folder. */
const ofFolders: Readonly<Record<string, (at: At) => string>> = {
  absolute: ({ folder }) => folder,
  relative: ({ below }) => below,
  'relative with a dot': ({ below }) => `./${below}`,
  'a slash at the end': ({ folder }) => `${folder}/`,
  'up and down again': ({ folder }) => `${folder}/sub/..`,
  home: ({ below }) => `~/${below}`,
  'a link to a folder': ({ folder }) => `${folder}/to-folder`,
  'a name with another normal form': ({ folder }) => `${folder}/${'café'.normalize('NFD')}`,
  quoted: ({ folder }) => `'${folder}'`,
  'file URI': ({ folder }) => pathToFileURL(folder).href,
  'no entries': ({ folder }) => `${folder}/nothing`,
  missing: ({ folder }) => `${folder}/none`,
  'a file': ({ folder }) => `${folder}/lines.txt`,
  'a link to nothing': ({ folder }) => `${folder}/to-none`,
  'a link outside': ({ folder }) => `${folder}/exit-folder`,
  outside: ({ outside }) => outside,
  'a sibling with the prefix': ({ root }) => `${root}-sibling`,
  'up and out': ({ below }) => `${below}/../..`,
  empty: () => '',
};

type Use = (path: string, at: At) => Record<string, unknown>;

const fileTools: Readonly<Record<string, Use>> = {
  read_file: (path) => ({ path }),
  read_text_file: (path) => ({ path }),
  read_media_file: (path) => ({ path }),
  read_multiple_files: (path, { folder }) => ({ paths: [`${folder}/open.txt`, path] }),
  write_file: (path) => ({ path, content: 'new\n' }),
  edit_file: (path) => ({ path, edits: [{ oldText: 'two', newText: '2' }] }),
  get_file_info: (path) => ({ path }),
};

const folderTools: Readonly<Record<string, Use>> = {
  list_directory: (path) => ({ path }),
  list_directory_with_sizes: (path) => ({ path }),
  directory_tree: (path) => ({ path }),
  search_files: (path) => ({ path, pattern: '**/*.txt' }),
  create_directory: (path) => ({ path }),
  get_file_info: (path) => ({ path }),
};

/** Calls with every spelling of a path, for every tool that takes one. */
export const paths: readonly Case[] = [
  ...over(fileTools, ofFiles, 'file'),
  ...over(folderTools, ofFolders, 'folder'),
  ...over(
    { move_file: (source, { folder }) => ({ source, destination: `${folder}/moved` }) },
    ofFiles,
    'from',
  ),
  ...over(
    { move_file: (destination, { folder }) => ({ source: `${folder}/open.txt`, destination }) },
    ofFiles,
    'to',
  ),
];

function over(
  tools: Readonly<Record<string, Use>>,
  forms: Readonly<Record<string, (at: At) => string>>,
  what: string,
): Case[] {
  return Object.entries(tools).flatMap(([tool, use]) =>
    Object.entries(forms).map(([form, path]) => ({
      name: `${tool} ${what}: ${form}`,
      tool,
      args: (at: At) => use(path(at), at),
    })),
  );
}
