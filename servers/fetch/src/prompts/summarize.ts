import { quoteArgument, quoted, readArguments } from '@rootbound/kit/prompts';
import { type Ask, type CallContext, sample, ToolError } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { blockOf, loadForUser } from './load.ts';

const names = ['url', 'focus'] as const;
const WORDS = 900;
const MOST_TOKENS = 800;

/** Asks the client's model for a summary, if it offers sampling; if it refuses, the conversation gets the page. */
export async function askForSummary(
  args: Readonly<Record<string, string>>,
  ask: Ask,
  context: CallContext<Workspace>,
): Promise<string | undefined> {
  if (context.facts.capabilities.sampling === undefined) return undefined;
  const text = await taskOf(args, context);
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text } }];
  try {
    const { summary } = await ask({ summary: sample({ messages, maxTokens: MOST_TOKENS }) });
    const blocks = Array.isArray(summary.content) ? summary.content : [summary.content];
    return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not-answered') return undefined;
    throw error;
  }
}

/** Returns the summary of the client's model, or the page with the task to summarize it. */
export async function summarize(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { answers, scope } = context;
  if (typeof answers !== 'string') return taskOf(args, context);
  const { url } = readArguments(args, names);
  return [
    `A model of the client has summarised ${quoteArgument(url ?? '')} as follows.`,
    quoted('the model that read the page', [{ title: 'summary', text: answers }], scope.maxOutput - WORDS),
    'Answer with this summary; call fetch for the page itself, or find_in_page for its passages.',
  ].join('\n');
}

async function taskOf(
  args: Readonly<Record<string, string>>,
  context: Pick<CallContext<Workspace, unknown>, 'scope' | 'signal'>,
): Promise<string> {
  const { url, focus } = readArguments(args, names);
  const loaded = await loadForUser(url, context);
  const toWhom = focus === undefined ? '' : ` What matters most: ${quoteArgument(focus)}.`;
  return [
    `Summarise this page in a few sentences and, where it has some, the facts, figures and dates that it gives.${toWhom} Mark opinions as such.`,
    quoted('the page', [blockOf(loaded)], context.scope.maxOutput - WORDS),
  ].join('\n');
}
