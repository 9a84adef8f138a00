import type { ContentBlock } from '@rootbound/protocol';
import { toOid } from '../run/oid.ts';
import { toGitUri } from './git-uri.ts';
import type { Opened } from './open-repository.ts';

/**
 * Returns the text of a result without the contents of a binary file, with a link to them where they fit a resource.
 */
export function withLink(
  text: string,
  { repository: { top } }: Opened,
  { oid, size, name }: { oid: string; size: number; name: string },
  maxOutput: number,
): string | ContentBlock[] {
  const uri = toGitUri(top, { kind: 'blob', oid: toOid(oid) });
  // base64 has four characters for three bytes
  if (ENVELOPE + uri.length + (size / 3) * 4 > maxOutput) return text;
  return [
    { type: 'text', text },
    { type: 'resource_link', uri, name, size },
  ];
}

/** Bytes of a resource's contents besides its text. */
const ENVELOPE = 200;
