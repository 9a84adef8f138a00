import { allRevisions, type Revision } from '../../protocol/revisions.ts';
import { type Level, type Place, type RequirementId, requirements } from './requirements.ts';

/** A requirement of one revision with a link to its source. */
export interface Demand {
  /** with the revision as prefix */
  readonly id: string;
  readonly text: string;
  readonly level: Level;
  readonly link: string;
}

/** Returns a requirement in one revision, or undefined if the revision does not have it. */
export function demandOf(id: RequirementId, revision: Revision): Demand | undefined {
  const [text, ...places]: readonly [string, ...Place[]] = requirements[id];
  const index = allRevisions.indexOf(revision);
  const place = places.find(
    ([from, to]) => allRevisions.indexOf(from) <= index && index <= allRevisions.indexOf(to),
  );
  if (place === undefined) return undefined;
  const [, , level, source] = place;
  return { id: `${revision}/${id}`, text, level, link: linkOf(revision, source) };
}

/** Returns the link to a source. Schemas have their own pages since 2025-06-18; before, they are files. */
function linkOf(revision: Revision, source: string): string {
  const [page = '', anchor = ''] = source.split('#');
  if (page === 'jsonrpc-2.0') return `https://www.jsonrpc.org/specification#${anchor}`;
  const hash = anchor === '' ? '' : `#${anchor}`;
  if (page.startsWith('docs/')) return `https://modelcontextprotocol.io/${page}${hash}`;
  if (page === 'versioning') return `https://modelcontextprotocol.io/specification/versioning${hash}`;
  if (page === 'schema' && revision < '2025-06-18')
    return `https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/${revision}/schema.ts`;
  const path = page.replace(/\/index$/, '');
  const target = page === 'schema' ? hash.toLowerCase() : hash;
  return `https://modelcontextprotocol.io/specification/${revision}/${path}${target}`;
}
