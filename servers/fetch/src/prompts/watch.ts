import { quoteArgument, quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import { toPageUri } from '../resources/pages.ts';
import type { Workspace } from '../workspace.ts';
import { blockOf, loadForUser } from './load.ts';

const WORDS = 900;

/** Returns the text of a page, and how to follow its changes. */
export async function watchPage(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { url, for: wanted } = readArguments(args, ['url', 'for']);
  const loaded = await loadForUser(url, context);
  const { snapshot, page } = loaded;
  const subscribe =
    page === undefined ? '' : ` A client can subscribe to ${toPageUri(page)} for notifications of changes.`;
  return [
    `Watch this page${wanted === undefined ? '' : ` for this: ${quoteArgument(wanted)}`}.${subscribe}`,
    `To check for changes, call compare_page with its URL and since ${snapshot.hash}, and tell the user what is new in a sentence or two.`,
    quoted('the page as it is now', [blockOf(loaded)], context.scope.maxOutput - WORDS),
  ].join('\n');
}
