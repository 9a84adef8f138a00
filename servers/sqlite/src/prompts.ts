import type { Offers } from '@rootbound/kit/prompts';
import { type Complete, type PromptDefinition, prompt } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

/** Code that only a picked prompt needs is loaded then. */
const completeDatabase: Complete<Workspace> = async (...typed) =>
  (await import('./completing/databases.ts')).completeDatabase(...typed);

const database: NonNullable<PromptDefinition<Workspace>['arguments']>[number] = {
  name: 'database',
  description: 'the database; may be left out where there is one',
  complete: completeDatabase,
};

/** What a user can pick from the client's menu; each is there where the tools that it needs are. */
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
      description: 'Tells what a database holds and what can be asked of it; the schema comes along.',
      arguments: [database],
      get: async (...asked) => (await import('./prompts/explore-database.ts')).exploreDatabase(...asked),
    }),
  },
  {
    needs: ['describe_table', 'read_query'],
    prompt: prompt<Workspace>({
      name: 'answer_question',
      title: 'Generate SQL query',
      description: 'Writes the SQL that answers a question, and runs it; the schema comes along.',
      arguments: [{ name: 'question', description: 'what you want to know', required: true }, database],
      get: async (...asked) => (await import('./prompts/answer-question.ts')).answerQuestion(...asked),
    }),
  },
  {
    needs: ['explain_query'],
    prompt: prompt<Workspace>({
      name: 'explain_slow_query',
      title: 'Explain a slow query',
      description: 'Explains why a statement is slow and what helps; plan and tried indexes come along.',
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
      description:
        'A guided tour: makes a small database about a topic, asks it, and writes down what it shows.',
      arguments: [{ name: 'topic', description: 'what the demo is about', required: true }],
      get: async (...asked) => (await import('./prompts/mcp-demo.ts')).mcpDemo(...asked),
    }),
  },
];
