import { quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { blockOf, loadForUser } from './load.ts';

const WORDS = 300;

/** Returns the text of a page as data for the conversation. */
export async function fetchForUser(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { url } = readArguments(args, ['url']);
  const loaded = await loadForUser(url, context);
  return [
    `This is ${loaded.snapshot.finalUrl}.`,
    quoted('the page', [blockOf(loaded)], context.scope.maxOutput - WORDS),
  ].join('\n');
}
