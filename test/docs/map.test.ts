import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawMap } from '../../scripts/map.mjs';
import { type Document, documents, root } from './documents.ts';

const servers = ['filesystem', 'git', 'sqlite', 'fetch'];
const pages = documents().filter(({ name }) =>
  /^docs\/(?:architecture|develop\/changes|glossary|security\/git)\b/.test(name),
);

/** Returns the folders that the paths of a page may be below. */
function foldersFor({ name }: Pick<Document, 'name'>): string[] {
  const [, own] = /^docs\/(?:architecture|security)\/(\w+)\.md$/.exec(name) ?? [];
  if (own === undefined) return [''];
  const home = join(servers.includes(own) ? 'servers' : 'packages', own);
  return ['', home, join(home, 'src')];
}

/** Returns the paths of a page: those with an ending of code, from the top or not, and folders of its tables. */
function pathsIn({ text }: Pick<Document, 'text'>): string[] {
  const files = text.match(/(?<=`)[\w.*-]+(?:\/[\w.*-]+)*\.(?:ts|mjs|json|wat|md)(?=`)/g) ?? [];
  const topFolders = text.match(/(?<=`)(?:packages|servers|test|docs|scripts)(?:\/[\w*-]+)+(?=`)/g) ?? [];
  return [...files, ...topFolders, ...foldersOf(text)];
}

/** Returns the names in the column `folder` of each table. */
function foldersOf(text: string): string[] {
  return (text.match(/^\|.*\n\|[-|]+\n(?:\|.*\n)+/gm) ?? []).flatMap((table) => {
    const [head = [], , ...rows] = table
      .trimEnd()
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim()));
    const column = head.indexOf('folder');
    return rows.flatMap((cells) => cells[column]?.match(/(?<=`)[\w/-]+(?=`)/g) ?? []);
  });
}

/** Returns the paths of a page that do not exist; `*` stands for each server. */
function missingIn(page: Pick<Document, 'name' | 'text'>): string[] {
  const isThere = (path: string): boolean =>
    foldersFor(page).some((folder) => existsSync(join(root, folder, path)));
  return pathsIn(page).flatMap((path) =>
    (path.includes('*') ? servers.map((name) => path.replace('*', name)) : [path]).filter(
      (one) => !isThere(one),
    ),
  );
}

test('the committed map is the one that the imports give; npm run pictures -- map draws it', () => {
  expect(readFileSync(join(root, 'docs', 'pictures', 'map.svg'), 'utf8')).toBe(drawMap(root));
});

test.each(pages.map((page) => [page.name, page] as const))(
  '%s names only paths that exist',
  (_name, page) => {
    expect(pathsIn(page).length).toBeGreaterThan(10);
    expect(missingIn(page)).toEqual([]);
  },
);

test('a path that does not exist is found, from the top, below the sources of a page, and in a table of folders', () => {
  const text = `See \`packages/kit/src/cli.ts\`, \`servers/*/src/spec.ts\`, \`run/run.ts\`, \`run/no.ts\`, \`test/*/no.ts\`.

| folder | purpose |
|---|---|
| \`run\`, \`nowhere\` | runs \`git\` |
`;
  expect(missingIn({ name: 'docs/architecture/git.md', text })).toEqual([
    'run/no.ts',
    ...servers.map((name) => `test/${name}/no.ts`),
    'nowhere',
  ]);
});
