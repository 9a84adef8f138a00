import { basename, join, relative } from 'node:path';
import { showName, toFileUri } from '@rootbound/kit/boundary';
import { jsonBytes } from '@rootbound/kit/budget';
import { textTypeOfName } from '@rootbound/kit/media';
import type { ContentBlock, Utf8Text } from '@rootbound/protocol';
import { isoTime } from '../listing/facts.ts';
import type { ReadFile } from './read-text.ts';

type LocatedFile = Pick<ReadFile, 'path' | 'root'>;

/** Returns the path of a file below its root as the root was given. */
export function pathOf({ path, root }: LocatedFile): string {
  return join(root.path, relative(root.real, path));
}

/** Returns the URI of that path. */
export function uriOf(file: LocatedFile): string {
  return toFileUri(pathOf(file));
}

/** Returns a link to a whole file, of which the result has a part. */
export function linkTo(file: ReadFile, mimeType = textTypeOfName(file.path)): ContentBlock {
  const { mtimeMs, size } = file.stat;
  const lastModified = isoTime(mtimeMs);
  return {
    type: 'resource_link',
    uri: uriOf(file),
    name: showName(basename(file.path)),
    mimeType,
    size,
    ...(lastModified !== undefined && { annotations: { lastModified } }),
  };
}

/** Returns as many links as fit beside the blocks of a result. */
export function linksBeside(
  blocks: readonly ContentBlock[],
  links: readonly ContentBlock[],
  maxOutput: number,
): ContentBlock[] {
  const kept: ContentBlock[] = [];
  let left = maxOutput - blocks.reduce((total, block) => total + blockBytes(block), BRACKETS);
  for (const link of links) {
    left -= blockBytes(link);
    if (left < 0) break;
    kept.push(link);
  }
  return kept;
}

/** Size of the JSON around the only text block of a result, in bytes. */
export const TEXT_FRAME = Buffer.byteLength('[{"type":"text","text":}]');
const BRACKETS = 2;
const COMMA = 1;

/** Returns the size of a block in a list; its text may be a Utf8Text. */
function blockBytes(block: ContentBlock): number {
  if (block.type !== 'text') return Buffer.byteLength(JSON.stringify(block)) + COMMA;
  const text = block.text as string | Utf8Text; // Utf8Text is written as a JSON string
  return TEXT_FRAME - COMMA + (typeof text === 'string' ? jsonBytes(text) : text.jsonBytes);
}
