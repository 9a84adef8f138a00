import type { Offers, Workspace } from '../workspace.ts';
import { argumentRoom, readArguments } from './arguments.ts';
import { foldersOf, nameFolders } from './folders.ts';

/** Returns a text that asks the model to explore a folder. */
export function explore(
  args: Readonly<Record<string, string>>,
  { scope, maxOutput }: Workspace,
  offers: Offers,
): string {
  const { path, question } = readArguments(args, ['path', 'question'], maxOutput);
  const folders = nameFolders(foldersOf(scope, path), argumentRoom(maxOutput));
  const start = offers('directory_tree') ? 'directory_tree at depth 2' : 'its direct entries';
  return [
    `Explore ${folders} with the tools of this server.`,
    `Begin with ${start}, then read the README, manifests and entry points.`,
    ...(offers('search_content')
      ? ['Use search_content to follow names from file to file instead of reading every file.']
      : []),
    question === undefined
      ? 'Then describe its purpose, its structure, how its parts connect, and which files to read first, with paths.'
      : `Then answer this question, with the paths and lines that prove the answer: ${question}`,
  ].join('\n');
}
