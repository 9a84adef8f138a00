import { quoteArgument, readArguments } from '@rootbound/kit/prompts';
import { type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

/** Asks for a tour of this server: a small database about a topic, questions to it, and a memo of what they show. */
export function mcpDemo(
  args: Readonly<Record<string, string>>,
  _context: CallContext<Workspace, unknown>,
): string {
  const { topic } = readArguments(args, ['topic']);
  if (topic === undefined)
    throw new ToolError('topic is missing', { code: 'invalid-argument', hint: 'say what the demo is about' });
  return [
    `Give a guided demo of this SQLite server. Its topic: ${quoteArgument(topic)}`,
    'You lead, and the user chooses; after each part stop, and offer two or three ways to go on.',
    '1. Set the scene: in a few sentences, a person who has a question about the topic that data can answer.',
    '2. Look with list_databases and list_tables at what is there already, and leave it as it is. Name the database that you will use, and ask whether that is right.',
    '3. Make two or three tables for the topic with write_query, whose names begin with demo_, and fill them with 10 to 20 invented rows each. Say that they are invented.',
    '4. Ask the data with read_query, the simple question before the one that joins tables. Show the SQL, and what the rows say.',
    '5. Write down each thing that the rows show with append_insight, one sentence for each. They are kept in memo://insights, which changes while the user watches.',
    '6. Sum up: the memo as a short report for the person of the story. Offer to drop the demo_ tables.',
  ].join('\n');
}
