import { bytesOf, formatBytes, type Halves } from '@rootbound/kit/budget';
import type { Opened } from '../../call/open-repository.ts';
import type { ObjectInfo } from '../../repository/answers.ts';
import { clipLines } from '../patches/patch-lines.ts';
import { type Asked, halvesOf } from './show-request.ts';
import type { Untagged } from './show-tag.ts';

/** Bytes; a git of its own streams a larger blob. */
const SMALL = 1 << 20;
/** Bytes in which git looks for a NUL, which text does not have. */
const LOOKED_AT = 8000;
/** Bytes for everything besides the content. */
const RESERVED = 480;

/** Returns the text of a file. */
export async function showBlob(
  opened: Opened,
  { oid, size }: ObjectInfo,
  tag: Untagged['tag'],
  asked: Asked,
): Promise<Halves> {
  const start = asked.place === undefined ? 0 : Number(asked.place[1]);
  const room = asked.maxOutput - RESERVED - bytesOf({ structured: tag.facts, text: tag.text });
  const bytes = await readFrom(opened, { oid, size }, start, Math.max(LOOKED_AT, room + 1));
  const facts = { ...tag.facts, type: 'blob', oid, size } as const;
  if (start === 0 && bytes.subarray(0, LOOKED_AT).includes(0))
    return halvesOf({ ...facts, binary: true }, `${tag.text}[binary, ${formatBytes(size)}]`, asked);
  if (bytes.length === 0) return halvesOf({ ...facts, content: '' }, `${tag.text}[empty]`, asked);
  const { text, bytes: kept, lossy } = clipLines(bytes, room);
  const end = start + kept;
  const result = { ...facts, content: text, ...(lossy && { lossy }) };
  if (end >= size) return halvesOf(result, tag.text + text, asked);
  return halvesOf(result, tag.text + text, asked, {
    place: ['content', end],
    lacks: `${end} of ${size} bytes`,
  });
}

async function readFrom(
  opened: Opened,
  { oid, size }: Pick<ObjectInfo, 'oid' | 'size'>,
  start: number,
  most: number,
): Promise<Buffer> {
  const small = size <= SMALL ? await opened.objects.read(oid, SMALL) : undefined;
  if (small?.bytes !== undefined) return small.bytes.subarray(start, start + most);
  const { chunks, finished } = opened.objects.stream(oid);
  const read: Buffer[] = [];
  let [at, left] = [0, most];
  for await (const chunk of chunks) {
    const fresh = chunk.subarray(Math.max(0, start - at)).subarray(0, left);
    at += chunk.length;
    left -= fresh.length;
    read.push(fresh);
    if (left === 0) break;
  }
  await finished;
  return Buffer.concat(read);
}
