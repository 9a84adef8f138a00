import { defined } from '@rootbound/kit/primitives';
import type { Block } from '@rootbound/kit/prompts';
import { type CallContext, ToolError } from '@rootbound/protocol';
import { WebError } from '../failure.ts';
import { type Loaded, loadPage } from '../fetching/load-page.ts';
import type { Workspace } from '../workspace.ts';

/** Loads a page that the user picked; robots.txt, which is for programs, is not requested. */
export async function loadForUser(
  url: string | undefined,
  { scope, signal }: Pick<CallContext<Workspace, unknown>, 'scope' | 'signal'>,
  name = 'url',
): Promise<Loaded> {
  if (url === undefined)
    throw new ToolError(`${name} is missing`, { code: 'invalid-argument', hint: 'give a URL' });
  try {
    return await loadPage(scope, { url }, { want: 'article', identity: 'user', signal });
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    const { code, retryable, hint } = error;
    throw new ToolError(error.message, { code, retryable, ...defined({ hint }) });
  }
}

/** Returns the text of a page as a block of a prompt. */
export function blockOf({ snapshot: { finalUrl, reading } }: Loaded): Block {
  return { title: finalUrl, text: reading.text, rest: 'call fetch with start_index for more' };
}
