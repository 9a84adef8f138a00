import type { Offers, Workspace } from '../workspace.ts';
import { argumentRoom, readArguments } from './arguments.ts';
import { foldersOf, nameFolders } from './folders.ts';

/** Asks the model to find out what a folder holds. */
export function explore(
  args: Readonly<Record<string, string>>,
  { scope, maxOutput }: Workspace,
  offers: Offers,
): string {
  const { path, question } = readArguments(args, ['path', 'question'], maxOutput);
  const place = nameFolders(foldersOf(scope, path), argumentRoom(maxOutput));
  const start = offers('directory_tree') ? 'directory_tree at depth 2' : 'what is at the top of it';
  return [
    `Explore ${place} with this server's tools.`,
    `Begin with ${start}, then read the files that explain the rest: README, manifests, entry points.`,
    ...(offers('search_content')
      ? ['Use search_content to follow names from file to file instead of reading everything.']
      : []),
    question === undefined
      ? 'Then say what it is for, how it is laid out, where its parts meet, and what to read first, each with its path.'
      : `Then answer, with the paths and lines that show it: ${question}`,
  ].join('\n');
}
