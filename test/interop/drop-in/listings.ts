import type { Case } from './cases.ts';

const patterns = [
  '*.txt',
  '**/*.txt',
  '**/*.md',
  '**/inner.txt',
  'inner.txt',
  'lines.txt',
  '*',
  '**',
  '**/*',
  'sub/*',
  'sub/**',
  '*.{txt,py}',
  '[lm]*.txt',
  '?????.txt',
  '!(lines).txt',
  '.*',
  '**/.hidden',
  'LINES.TXT',
  'caf*',
  'café/**',
  'nothing',
  'no-such-name',
  'sub/\\[odd\\]*',
  './lines.txt',
  '/lines.txt',
  '../*',
  '[',
  '',
];

const excludes: readonly (readonly string[])[] = [
  [],
  ['*.txt'],
  ['**/*.txt'],
  ['sub'],
  ['sub/**'],
  ['node_modules'],
  ['**/node_modules'],
  ['**/node_modules/**'],
  ['.hidden'],
  ['inner.txt'],
  ['deep'],
  ['*'],
  ['**'],
  ['*.md', '*.py'],
  ['LINES.TXT'],
  [''],
];

/** Searches with all kinds of patterns, and searches and trees with all kinds of excludes. */
export const listings: readonly Case[] = [
  ...patterns.map(
    (pattern): Case => ({
      name: `search_files ${JSON.stringify(pattern)}`,
      tool: 'search_files',
      args: ({ folder }) => ({ path: folder, pattern, excludePatterns: [] }),
    }),
  ),
  ...excludes.flatMap((excludePatterns): Case[] => [
    {
      name: `search_files without ${JSON.stringify(excludePatterns)}`,
      tool: 'search_files',
      args: ({ folder }) => ({ path: folder, pattern: '**/*', excludePatterns }),
    },
    {
      name: `directory_tree without ${JSON.stringify(excludePatterns)}`,
      tool: 'directory_tree',
      args: ({ folder }) => ({ path: folder, excludePatterns }),
    },
  ]),
  ...['name', 'size'].map(
    (sortBy): Case => ({
      name: `list_directory_with_sizes by ${sortBy}`,
      tool: 'list_directory_with_sizes',
      args: ({ folder }) => ({ path: folder, sortBy }),
    }),
  ),
  ...['sub', 'café', 'sub/node_modules', 'nothing'].flatMap((below) =>
    ['list_directory', 'list_directory_with_sizes', 'directory_tree', 'get_file_info'].map(
      (tool): Case => ({
        name: `${tool} of ${below}`,
        tool,
        args: ({ folder }) => ({ path: `${folder}/${below}` }),
      }),
    ),
  ),
  ...['.hidden', 'kilo.dat', 'empty.txt', 'picture.png', 'to-file', 'sub/[odd] name.txt'].map(
    (file): Case => ({
      name: `get_file_info of ${file}`,
      tool: 'get_file_info',
      args: ({ folder }) => ({ path: `${folder}/${file}` }),
    }),
  ),
];
