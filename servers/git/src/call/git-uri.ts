import { fromFileUri, toFileUri } from '@rootbound/kit/boundary';
import { bytesOfName, nameOf } from '../porcelain/names.ts';
import { isOid, type Oid } from '../run/oid.ts';

/** The resources that a repository has once, and that change. */
const states = ['status', 'index', 'stash', 'operation', 'refs'] as const;
type State = (typeof states)[number];

/** The target of a URI in its repository. A target named by ids alone never changes. */
export type Target =
  | { readonly kind: 'repository' | State }
  /** by its full name: HEAD, or one that begins with refs/ */
  | { readonly kind: 'ref'; readonly name: string }
  | { readonly kind: 'commit' | 'tree' | 'blob'; readonly oid: Oid }
  /** between two commits or trees */
  | { readonly kind: 'diff'; readonly from: Oid; readonly to: Oid }
  /** a file or folder of a commit */
  | { readonly kind: 'path'; readonly commit: Oid; readonly path: string };

export interface GitUri {
  /** the path of its top level */
  readonly repository: string;
  readonly target: Target;
}

// in the path of a repository "?" is escaped, so the first one ends it
const parts = /^git:\/\/([^?]*)(?:\?(.*))?$/s;

/**
 * Returns the URI of a repository, or of a target in it: the path as in a `file:` URI, and the rest as its query.
 * @example toGitUri('/home/ann/a b', { kind: 'ref', name: 'refs/heads/main' }); //
 * 'git:///home/ann/a%20b?ref=refs/heads/main'
 */
export function toGitUri(repository: string, target: Target = { kind: 'repository' }): string {
  const own = `git:${toFileUri(repository).slice('file:'.length)}`;
  const query = queryOf(target);
  return query === '' ? own : `${own}?${query}`;
}

function queryOf(target: Target): string {
  switch (target.kind) {
    case 'repository':
      return '';
    case 'ref':
      return `ref=${encodeName(target.name)}`;
    case 'commit':
    case 'tree':
    case 'blob':
      return `${target.kind}=${target.oid}`;
    case 'diff':
      return `diff=${target.from}..${target.to}`;
    case 'path':
      return `commit=${target.commit}&path=${encodeName(target.path)}`;
    case 'status':
    case 'index':
    case 'stash':
    case 'operation':
    case 'refs':
      return target.kind;
  }
}

/**
 * Parses a URI; returns undefined when it is none of this server's. Each target has one URI, except for escapes that it
 * does not need.
 */
export function parseGitUri(uri: string): GitUri | undefined {
  const [, path, query] = parts.exec(uri) ?? [];
  const repository = path === undefined ? undefined : fromFileUri(`file://${path}`);
  const target = query === undefined ? ({ kind: 'repository' } as const) : targetOf(query);
  return repository === undefined || target === undefined ? undefined : { repository, target };
}

const byId = /^(commit|tree|blob)=([0-9a-f]+)$/;
const pathAt = /^commit=([0-9a-f]+)&path=(.*)$/s;
const between = /^diff=([0-9a-f]+)\.\.([0-9a-f]+)$/;

function targetOf(query: string): Target | undefined {
  const state = states.find((known) => known === query);
  if (state !== undefined) return { kind: state };
  if (query.startsWith('ref=')) return refOf(query.slice('ref='.length));
  const [, kind, oid = ''] = byId.exec(query) ?? [];
  if (isOid(oid)) return { kind: kind as 'commit' | 'tree' | 'blob', oid };
  const [, from = '', to = ''] = between.exec(query) ?? [];
  if (isOid(from) && isOid(to)) return { kind: 'diff', from, to };
  const [, commit = '', encoded = ''] = pathAt.exec(query) ?? [];
  const path = decodeName(encoded);
  return isOid(commit) && path !== undefined ? { kind: 'path', commit, path } : undefined;
}

function refOf(encoded: string): Target | undefined {
  const name = decodeName(encoded);
  if (name === undefined || (name !== 'HEAD' && !/^"?refs\//.test(name))) return undefined;
  return { kind: 'ref', name };
}

/**
 * Returns a name of a result as the value of a query: its bytes, those that are no plain characters of URIs as `%NN`.
 */
export function encodeName(name: string): string {
  const bytes = bytesOfName(name).toString('latin1');
  return bytes.replace(
    /[^A-Za-z0-9\-._~/]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

/** Returns the name for the value of a query; undefined where an escape is broken, or it contains a NUL. */
export function decodeName(encoded: string): string | undefined {
  if (/%(?![\da-f]{2})/i.test(encoded) || !encoded.isWellFormed()) return undefined;
  const bytes = Buffer.from(encoded)
    .toString('latin1')
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return bytes.includes('\0') ? undefined : nameOf(Buffer.from(bytes, 'latin1'));
}
