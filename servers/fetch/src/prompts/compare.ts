import { quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { blockOf, loadForUser } from './load.ts';

const WORDS = 600;

/** Returns the texts of two pages with the task to compare them. */
export async function comparePages(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { url, other } = readArguments(args, ['url', 'other']);
  const pages = await Promise.all([loadForUser(url, context), loadForUser(other, context, 'other')]);
  return [
    'Compare these two pages: what both say, what only one says, and where they contradict each other. Quote the relevant passages.',
    quoted('the pages', pages.map(blockOf), context.scope.maxOutput - WORDS),
  ].join('\n');
}
