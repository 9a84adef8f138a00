import { defined } from '@rootbound/kit/primitives';
import type { Block } from '@rootbound/kit/prompts';
import { type CallContext, ToolError } from '@rootbound/protocol';
import { WebError } from '../failure.ts';
import { type Loaded, loadPage } from '../fetching/load-page.ts';
import type { Workspace } from '../workspace.ts';

/** A page that a person picked: robots.txt, which speaks to programs, is not asked. */
export async function loadForUser(
  url: string | undefined,
  { scope, signal }: Pick<CallContext<Workspace, unknown>, 'scope' | 'signal'>,
  name = 'url',
): Promise<Loaded> {
  if (url === undefined)
    throw new ToolError(`${name} is missing`, { code: 'invalid-argument', hint: 'give an address' });
  try {
    return await loadPage(scope, { url }, { want: 'article', identity: 'user', signal });
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    const { code, retryable, hint } = error;
    throw new ToolError(error.message, { code, retryable, ...defined({ hint }) });
  }
}

/** Its text as a block of a prompt. */
export function blockOf({ snapshot: { finalUrl, reading } }: Loaded): Block {
  return { title: finalUrl, text: reading.text, rest: 'call fetch with start_index for more' };
}
