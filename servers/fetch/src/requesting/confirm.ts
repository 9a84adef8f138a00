import { agree, canAsk } from '@rootbound/kit/call';
import type { Ask, CallContext } from '@rootbound/protocol';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { isAllowed } from '../fetching/load-page.ts';
import type { Workspace } from '../workspace.ts';
import { isWriting } from './send.ts';

/** Asks the user to confirm the first unsafe request to an origin, if the client can ask; else the call continues. */
export async function confirmWriting(
  { url: text, method }: { readonly url: string; readonly method: string },
  ask: Ask,
  context: CallContext<Workspace, undefined>,
): Promise<undefined> {
  await askToFetch({ url: text }, ask, context);
  const { facts, scope } = context;
  const url = URL.parse(text.trim());
  if (url === null || !isWriting(method) || !canAsk(facts) || !isAllowed(scope, url.href)) return;
  const { engine, owner } = scope;
  if (engine.consents.has(owner, url) || engine.urlPolicy.wants(owner, url) !== undefined) return;
  await agree(ask, `Send ${method} and other requests that may change data to ${url.origin}?`, 'Send them');
  engine.consents.give(owner, url);
}
