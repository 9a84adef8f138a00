import type { Offers } from '@rootbound/kit/prompts';
import { type Complete, type PromptDefinition, prompt } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

/** The code of a prompt is loaded when it is used. */
const completeDatabase: Complete<Workspace> = async (...typed) =>
  (await import('./completing/databases.ts')).completeDatabase(...typed);

const database: NonNullable<PromptDefinition<Workspace>['arguments']>[number] = {
  name: 'database',
  description: 'path of the database; optional if there is only one',
  complete: completeDatabase,
};

/** Returns the prompts whose tools are offered. */
export const promptsFor = (offers: Offers): readonly PromptDefinition<Workspace>[] =>
  all(offers)
    .filter(({ needs }) => needs.every(offers))
    .map(({ prompt: offered }) => offered);

const all = (
  offers: Offers,
): readonly { needs: readonly string[]; prompt: PromptDefinition<Workspace> }[] => [
  {
    needs: ['describe_table', 'read_query'],
    prompt: prompt<Workspace>({
      name: 'explore_database',
      title: 'Explore a database',
      description: 'Describes what a database holds and which questions it can answer; includes the schema.',
      arguments: [database],
      get: async (...asked) => (await import('./prompts/explore-database.ts')).exploreDatabase(...asked),
    }),
  },
  {
    needs: ['describe_table', 'read_query'],
    prompt: prompt<Workspace>({
      name: 'answer_question',
      title: 'Generate SQL query',
      description: 'Writes the SQL that answers a question, and runs it; includes the schema.',
      arguments: [{ name: 'question', description: 'what you want to know', required: true }, database],
      get: async (...asked) => (await import('./prompts/answer-question.ts')).answerQuestion(...asked),
    }),
  },
  {
    needs: ['explain_query'],
    prompt: prompt<Workspace>({
      name: 'explain_slow_query',
      title: 'Explain a slow query',
      description: 'Explains why a statement is slow and what helps; includes its plan and tested indexes.',
      arguments: [{ name: 'query', description: 'the SQL that is slow', required: true }, database],
      get: async (args, context) =>
        (await import('./prompts/explain-slow-query.ts')).explainSlowQuery(args, context, offers),
    }),
  },
  {
    needs: ['list_databases', 'list_tables', 'read_query', 'write_query', 'append_insight'],
    prompt: prompt<Workspace>({
      name: 'mcp-demo',
      title: 'Demo',
      description: 'A guided tour: creates a small database about a topic, queries it, and records findings.',
      arguments: [{ name: 'topic', description: 'what the demo is about', required: true }],
      get: async (...asked) => (await import('./prompts/mcp-demo.ts')).mcpDemo(...asked),
    }),
  },
];
