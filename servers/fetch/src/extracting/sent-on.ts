import { resolveUrl } from '../markdown/urls.ts';
import type { PageFacts } from './facts.ts';

const LONGEST = 500;
const refresh = /^[\d.]* ?[;, ] ?(?:url ?= ?)?["']?([^"' ]+)/i;

/** Returns the URL of a `meta` refresh, which is not followed; undefined if the page refreshes itself. */
export function sentOnTo(facts: PageFacts, base: string): string | undefined {
  const content = facts.metas.find(({ name }) => name === 'refresh')?.content.replace(/\s+/g, ' ');
  const target = content === undefined ? undefined : refresh.exec(content)?.[1];
  const url = target === undefined ? undefined : resolveUrl(target, base);
  const leads = url !== undefined && /^https?:/.test(url) && url.length <= LONGEST && url !== base;
  return leads ? url : undefined;
}
