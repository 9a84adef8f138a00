import { prompt, ToolError } from '@rootbound/protocol';
import { completePathArgument } from './resources/completing.ts';
import type { Workspace } from './workspace.ts';

/** What a user can pick from the client's menu. */
export const prompts = [
  prompt<Workspace>({
    name: 'explore',
    title: 'Explore a folder',
    description: 'Finds out what a folder holds and how its parts belong together.',
    arguments: [
      { name: 'path', description: 'the folder; all roots when left out', complete: completePathArgument },
      { name: 'question', description: 'what you want to know about it' },
    ],
    get({ path, question }, { scope: { scope } }) {
      if (scope.roots.length === 0) {
        throw new ToolError(`nothing is allowed: ${scope.reason}`, {
          code: 'no-roots',
          hint: "name a folder on the server's command line, or let the client offer one as a root",
        });
      }
      const places = path === undefined || path === '' ? scope.roots.map((root) => root.path) : [path];
      return [
        `Explore ${places.join(' and ')} with this server's tools.`,
        'Begin with directory_tree at depth 2, then read the files that explain the rest: README, manifests, entry points.',
        'Use search_content to follow names from file to file instead of reading everything.',
        question === undefined || question === ''
          ? 'Then say what it is for, how it is laid out, where its parts meet, and what to read first, each with its path.'
          : `Then answer, with the paths and lines that show it: ${question}`,
      ].join('\n');
    },
  }),
];
