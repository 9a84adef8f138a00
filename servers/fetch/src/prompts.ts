import type { Offers } from '@rootbound/kit/prompts';
import { type PromptDefinition, prompt } from '@rootbound/protocol';
import { completeSeen } from './resources.ts';
import type { Workspace } from './workspace.ts';

type Argument = NonNullable<PromptDefinition<Workspace>['arguments']>[number];

const url: Argument = {
  name: 'url',
  description: 'http or https URL',
  required: true,
  complete: completeSeen,
};

/** Returns the prompts for the client's menu whose required tools are offered. */
export const promptsFor = (offers: Offers): readonly PromptDefinition<Workspace>[] =>
  all.filter(({ needs }) => needs.every(offers)).map(({ prompt: offered }) => offered);

const all: readonly { needs: readonly string[]; prompt: PromptDefinition<Workspace> }[] = [
  {
    needs: [],
    prompt: prompt<Workspace>({
      name: 'fetch',
      title: 'Fetch a page',
      description: 'A page as Markdown, for the conversation.',
      arguments: [url],
      get: async (...asked) => (await import('./prompts/fetch.ts')).fetchForUser(...asked),
    }),
  },
  {
    needs: [],
    prompt: prompt<Workspace>({
      name: 'summarize_page',
      title: 'Summarise a page',
      description: 'A summary of a page, made by a model of the client if it offers one.',
      arguments: [url, { name: 'focus', description: 'what matters to you' }],
      ask: async (args, ask, context) =>
        (await import('./prompts/summarize.ts')).askForSummary(args, ask, context),
      get: async (...asked) => (await import('./prompts/summarize.ts')).summarize(...asked),
    }),
  },
  {
    needs: [],
    prompt: prompt<Workspace>({
      name: 'compare_pages',
      title: 'Compare two pages',
      description: 'The agreements and differences of two pages.',
      arguments: [url, { ...url, name: 'other', description: 'the other URL' }],
      get: async (...asked) => (await import('./prompts/compare.ts')).comparePages(...asked),
    }),
  },
  {
    needs: ['compare_page'],
    prompt: prompt<Workspace>({
      name: 'watch_page',
      title: 'Watch a page',
      description: 'Reports the changes of a page.',
      arguments: [url, { name: 'for', description: 'the changes to report' }],
      get: async (...asked) => (await import('./prompts/watch.ts')).watchPage(...asked),
    }),
  },
];
