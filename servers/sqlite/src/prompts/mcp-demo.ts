import { quoteArgument, readArguments } from '@rootbound/kit/prompts';
import { type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

/** Returns a prompt for a tour of this server: a small database about a topic, queries, and a memo of findings. */
export function mcpDemo(
  args: Readonly<Record<string, string>>,
  _context: CallContext<Workspace, unknown>,
): string {
  const { topic } = readArguments(args, ['topic']);
  if (topic === undefined)
    throw new ToolError('topic is missing', { code: 'invalid-argument', hint: 'pass the topic of the demo' });
  return [
    `Give a guided demo of this SQLite server. Its topic: ${quoteArgument(topic)}`,
    'You lead, and the user chooses; stop after each part, and offer two or three ways to continue.',
    '1. Describe, in a few sentences, a person with a question about the topic that data can answer.',
    '2. List what exists with list_databases and list_tables, and do not change it. Name the database that you will use, and ask the user to confirm.',
    '3. With write_query create two or three tables for the topic whose names begin with demo_, and insert 10 to 20 invented rows into each. Say that they are invented.',
    '4. Query the data with read_query, first a simple query, then one that joins tables. Show the SQL, and explain the rows.',
    '5. Record each finding with append_insight, in one sentence. They are stored in memo://insights, which the user can watch.',
    '6. Summarize the memo as a short report for the person of part 1. Offer to drop the demo_ tables.',
  ].join('\n');
}
