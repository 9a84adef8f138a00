import { type CallContext, type Completion, type PromptDefinition, prompt } from '@rootbound/protocol';
import type { Offers, Workspace } from './workspace.ts';

/** Code that only a picked prompt needs is loaded then. */
async function completePaths(value: string, context: CallContext<Workspace>): Promise<Completion> {
  return (await import('./resources/completing.ts')).completePathArgument(value, context);
}

/** What a user can pick from the client's menu; their words name only tools that are offered. */
export const promptsFor = (offers: Offers): readonly PromptDefinition<Workspace>[] => [
  prompt<Workspace>({
    name: 'explore',
    title: 'Explore a folder',
    description: 'Finds out what a folder holds and how its parts belong together.',
    arguments: [
      { name: 'path', description: 'the folder; all roots when left out', complete: completePaths },
      { name: 'question', description: 'what you want to know about it' },
    ],
    get: async (args, { scope }) => (await import('./prompts/explore.ts')).explore(args, scope, offers),
  }),
  prompt<Workspace>({
    name: 'review_changes',
    title: 'Review recent changes',
    description: 'Reviews the files below a folder that were changed last.',
    arguments: [
      { name: 'path', description: 'the folder; all roots when left out', complete: completePaths },
      {
        name: 'since',
        description: 'a time, such as 2026-11-22 or 2026-11-22T08:30Z, or how long ago: 90m, 2h, 3d',
      },
      { name: 'limit', description: 'most files, from 1 to 200; 20 when left out' },
    ],
    get: async (args, context) => (await import('./prompts/review.ts')).reviewChanges(args, context, offers),
  }),
  prompt<Workspace>({
    name: 'explain_file',
    title: 'Explain a file',
    description: 'Explains a file, whose text comes with the question.',
    arguments: [
      { name: 'path', description: 'the file', required: true, complete: completePaths },
      { name: 'question', description: 'what you want to know about it' },
    ],
    get: async (args, context) => (await import('./prompts/explain.ts')).explainFile(args, context, offers),
  }),
];
