import { basename, join, relative } from 'node:path';
import { showName, toFileUri } from '@rootbound/kit/boundary';
import { jsonBytes } from '@rootbound/kit/budget';
import { textTypeOfName } from '@rootbound/kit/media';
import type { ContentBlock, Utf8Text } from '@rootbound/protocol';
import { isoTime } from '../listing/facts.ts';
import type { ReadFile } from './read-text.ts';

type Placed = Pick<ReadFile, 'path' | 'root'>;

/** Where a file is in the words that its root was given in. */
export function pathOf({ path, root }: Placed): string {
  return join(root.path, relative(root.real, path));
}

/** The URI of a file in the same words. */
export function uriOf(file: Placed): string {
  return toFileUri(pathOf(file));
}

/** A link to the whole of a file of which a result holds a part; of a text unless told. */
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

/** As many links as fit beside the blocks that are there. */
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

/** Bytes around the only block of text in a result. */
export const TEXT_FRAME = Buffer.byteLength('[{"type":"text","text":}]');
const BRACKETS = 2;
const COMMA = 1;

/** What a block takes in a list; its text may still be bytes. */
function blockBytes(block: ContentBlock): number {
  if (block.type !== 'text') return Buffer.byteLength(JSON.stringify(block)) + COMMA;
  const text = block.text as string | Utf8Text; // Utf8Text becomes a string when the result is written
  return TEXT_FRAME - COMMA + (typeof text === 'string' ? jsonBytes(text) : text.jsonBytes);
}
