import { quoteArgument, quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import { toPageUri } from '../resources/pages.ts';
import type { Workspace } from '../workspace.ts';
import { blockOf, loadForUser } from './load.ts';

const WORDS = 900;

/** A page as it is now, and how its changes are followed. */
export async function watchPage(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { url, for: wanted } = readArguments(args, ['url', 'for']);
  const loaded = await loadForUser(url, context);
  const { snapshot, page } = loaded;
  const subscribe =
    page === undefined
      ? ''
      : ` A client that can subscribes to ${toPageUri(page)}, and is told when its text changes.`;
  return [
    `Watch this page${wanted === undefined ? '' : ` for this: ${quoteArgument(wanted)}`}.${subscribe}`,
    `When it may have changed, call compare_page with its address and since ${snapshot.hash}, and tell the user what is new, in a sentence or two.`,
    quoted('the page as it is now', [blockOf(loaded)], context.scope.maxOutput - WORDS),
  ].join('\n');
}
