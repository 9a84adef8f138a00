import { type CallContext, type Completion, type PromptDefinition, prompt } from '@rootbound/protocol';
import type { Offers, Workspace } from './workspace.ts';

/** Completes paths; the code is loaded at the first completion. */
async function completePaths(value: string, context: CallContext<Workspace>): Promise<Completion> {
  return (await import('./resources/completing.ts')).completePathArgument(value, context);
}

/** Returns the prompts that a user can pick in the client. Their texts name only tools that the server offers. */
export const promptsFor = (offers: Offers): readonly PromptDefinition<Workspace>[] => [
  prompt<Workspace>({
    name: 'explore',
    title: 'Explore a folder',
    description: 'Finds out what a folder contains and how its parts relate.',
    arguments: [
      { name: 'path', description: 'the folder; default all roots', complete: completePaths },
      { name: 'question', description: 'a question about the folder' },
    ],
    get: async (args, { scope }) => (await import('./prompts/explore.ts')).explore(args, scope, offers),
  }),
  prompt<Workspace>({
    name: 'review_changes',
    title: 'Review recent changes',
    description: 'Reviews the most recently changed files below a folder.',
    arguments: [
      { name: 'path', description: 'the folder; default all roots', complete: completePaths },
      {
        name: 'since',
        description: 'a time, such as 2026-11-22 or 2026-11-22T08:30Z, or an age, such as 90m, 2h or 3d',
      },
      { name: 'limit', description: 'maximum number of files, from 1 to 200; default 20' },
    ],
    get: async (args, context) => (await import('./prompts/review.ts')).reviewChanges(args, context, offers),
  }),
  prompt<Workspace>({
    name: 'explain_file',
    title: 'Explain a file',
    description: 'Explains a file. The prompt includes its text.',
    arguments: [
      { name: 'path', description: 'the file', required: true, complete: completePaths },
      { name: 'question', description: 'a question about the file' },
    ],
    get: async (args, context) => (await import('./prompts/explain.ts')).explainFile(args, context, offers),
  }),
];
