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

/** A commit as it is stored: without replacements, and with its own parents at the end of a shallow clone. */
export interface Commit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  /** undefined: there is none that can be parsed */
  readonly author: Ident | undefined;
  readonly committer: Ident | undefined;
  /** the commit's own encoding; its texts here are decoded already */
  readonly encoding: string | undefined;
  /** the form of its signature, which nobody has verified */
  readonly signature: SignatureKind | undefined;
  /** the signed tags that were merged, each a whole tag object as a byte string */
  readonly mergeTags: readonly string[];
  readonly message: string;
}

/** Parses a commit object. */
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

// git reads only those that directly follow the tree
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
