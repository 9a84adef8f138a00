import { isOid, type Oid } from '../run/oid.ts';
import {
  corrupt,
  type Header,
  headerOf,
  type Ident,
  readHeaders,
  readIdent,
  type SignatureKind,
  signatureKind,
} from './headers.ts';
import { decodeText } from './text.ts';

/** A commit as it is stored: replaced by nothing, its own parents even where a shallow clone ends. */
export interface Commit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** undefined: there is none that can be read */
  readonly author: Ident | undefined;
  readonly committer: Ident | undefined;
  /** as the commit says; its texts here are decoded already */
  readonly encoding: string | undefined;
  /** the form of its signature, which nobody has verified */
  readonly signature: SignatureKind | undefined;
  /** the signed tags that were merged, each a whole tag object as a byte string */
  readonly mergeTags: readonly string[];
  readonly message: string;
}

/** Reads a commit object. */
export function parseCommit(bytes: Buffer): Commit {
  const { headers, body } = readHeaders(bytes);
  const tree = headers[0]?.[0] === 'tree' ? headers[0][1] : '';
  if (!isOid(tree)) throw corrupt('commit');
  const encoding = headerOf(headers, 'encoding');
  return {
    tree,
    parents: parentsOf(headers),
    author: decodeIdent(readIdent(headerOf(headers, 'author')), encoding),
    committer: decodeIdent(readIdent(headerOf(headers, 'committer')), encoding),
    encoding,
    signature: signatureKind(headerOf(headers, 'gpgsig') ?? headerOf(headers, 'gpgsig-sha256')),
    mergeTags: headers.filter(([name]) => name === 'mergetag').map(([, value]) => value),
    message: decodeText(body, encoding),
  };
}

// git takes those that follow the tree at once
function parentsOf(headers: readonly Header[]): Oid[] {
  const parents: Oid[] = [];
  for (const [name, value] of headers.slice(1)) {
    if (name !== 'parent') break;
    if (!isOid(value)) throw corrupt('commit');
    parents.push(value);
  }
  return parents;
}

export function decodeIdent(ident: Ident | undefined, encoding?: string): Ident | undefined {
  if (ident === undefined) return undefined;
  const decode = (text: string) => decodeText(Buffer.from(text, 'latin1'), encoding);
  return { ...ident, name: decode(ident.name), email: decode(ident.email) };
}
