import { canAsk } from '@rootbound/kit/call';
import { type Ask, type CallContext, confirm, ToolError } from '@rootbound/protocol';
import { isAllowed } from '../fetching/load-page.ts';
import type { Workspace } from '../workspace.ts';

interface Asked {
  readonly url?: string | undefined;
  readonly urls?: readonly string[] | undefined;
}

/**
 * Asks the user in one question to confirm all URLs that need it, if the client can ask. A URL that stays unconfirmed
 * is refused when the call runs.
 */
export async function askToFetch(
  { url, urls = [] }: Asked,
  ask: Ask,
  { facts, scope }: CallContext<Workspace, undefined>,
): Promise<undefined> {
  const { engine, owner } = scope;
  if (engine.urlPolicy.isOpen || !canAsk(facts)) return;
  const named = url === undefined ? urls : [url, ...urls];
  const wanting = named.flatMap((text) => {
    const parsed = URL.parse(text.trim());
    if (parsed === null || !isAllowed(scope, parsed.href)) return [];
    const wanted = engine.urlPolicy.wants(owner, parsed);
    if (wanted === undefined) return [];
    return [{ url: parsed, label: wanted === 'origin' ? `pages of ${parsed.origin}` : parsed.href }];
  });
  if (wanting.length === 0) return;
  const labels = [...new Set(wanting.map((one) => one.label))];
  const question = labels.length === 1 ? `Fetch ${labels[0]}?` : `Fetch all of these?\n${labels.join('\n')}`;
  if (await isAgreed(ask, question)) for (const { url } of wanting) engine.urlPolicy.agree(owner, url);
}

async function isAgreed(ask: Ask, question: string): Promise<boolean> {
  try {
    return (await ask({ fetch: confirm(question, 'Fetch') })).fetch;
  } catch (refusal) {
    if (refusal instanceof ToolError) return false;
    throw refusal;
  }
}
