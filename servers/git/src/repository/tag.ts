import { isOid, type Oid } from '../run/oid.ts';
import type { ObjectType } from './answers.ts';
import { decodeIdent } from './commit.ts';
import {
  corrupt,
  headerOf,
  type Ident,
  readHeaders,
  readIdent,
  type SignatureKind,
  signatureKind,
} from './headers.ts';
import { decodeText } from './text.ts';

/** An annotated tag. */
export interface Tag {
  readonly object: Oid;
  readonly type: ObjectType;
  readonly name: string;
  /** undefined: early tags have none */
  readonly tagger: Ident | undefined;
  /** the form of its signature, which nobody has verified */
  readonly signature: SignatureKind | undefined;
  /** without the signature at its end */
  readonly message: string;
}

const types: ReadonlySet<string> = new Set(['commit', 'tree', 'blob', 'tag']);

/** Parses a tag object. */
export function parseTag(bytes: Buffer): Tag {
  const { headers, body } = readHeaders(bytes);
  const object = headerOf(headers, 'object') ?? '';
  const type = headerOf(headers, 'type') ?? '';
  if (!isOid(object) || !isObjectType(type)) throw corrupt('tag');
  const text = body.toString('latin1');
  const signedFrom = signatureAt(text);
  return {
    object,
    type,
    name: decodeText(Buffer.from(headerOf(headers, 'tag') ?? '', 'latin1')),
    tagger: decodeIdent(readIdent(headerOf(headers, 'tagger'))),
    signature: signatureKind(text.slice(signedFrom)) ?? signatureKind(headerOf(headers, 'gpgsig-sha256')),
    message: decodeText(body.subarray(0, signedFrom)),
  };
}

function isObjectType(type: string): type is ObjectType {
  return types.has(type);
}

// the last one, as in git: the message may quote another
function signatureAt(text: string): number {
  let at = text.length;
  for (const mark of text.matchAll(/^-----BEGIN /gm))
    if (signatureKind(text.slice(mark.index)) !== undefined) at = mark.index;
  return at;
}
