import { defined } from '@rootbound/kit/primitives';
import { displayPath } from './display.ts';
import type { Chunk, FoundContent, Ranked } from './messages.ts';
import type { ContentOutcome, FoundFile, FoundLine, FoundName, NamesOutcome } from './outcome.ts';
import type { Position } from './query.ts';

/** The part of an outcome that depends on the results. */
export type Results =
  | Pick<NamesOutcome, 'kind' | 'names' | 'truncated' | 'next'>
  | Pick<ContentOutcome, 'kind' | 'matches' | 'files' | 'truncated' | 'next'>;

const TYPES: Record<string, FoundName['type']> = { f: 'file', d: 'directory', l: 'symlink', o: 'other' };

export function nameResults(chunks: readonly Chunk[], limit: number): Results {
  const names: FoundName[] = [];
  let next: Position = { path: '' };
  for (const chunk of chunks) {
    for (const { position, found } of namesOf(chunk)) {
      if (names.length === limit) return { kind: 'names', names, truncated: true, next };
      next = position;
      names.push(found);
    }
  }
  return { kind: 'names', names, truncated: false };
}

export function fileResults(chunks: readonly Chunk[], limit: number, counted: boolean): Results {
  const all = chunks.flatMap(filesOf);
  const listed = all.slice(0, limit);
  const files = listed.map(({ file, key }): FoundFile => {
    const count = counted && { count: file.count };
    return { path: displayPath(file.path), ...count, ...defined({ modified: key }) };
  });
  const truncated = all.length > limit;
  const next = truncated && { next: positionOf(listed.at(-1)!) };
  return { kind: 'content', matches: [], files, truncated, ...next };
}

export function lineResults(chunks: readonly Chunk[], limit: number): Results {
  const matches: FoundLine[] = [];
  let next: Position = { path: '' };
  for (const placed of chunks.flatMap(filesOf)) {
    const path = displayPath(placed.file.path);
    for (const line of placed.file.lines) {
      if (matches.length === limit) return { kind: 'content', matches, files: [], truncated: true, next };
      next = { ...positionOf(placed), line: line.line };
      matches.push({ path, ...line, ...defined({ modified: placed.key }) });
    }
  }
  return { kind: 'content', matches, files: [], truncated: false };
}

interface PlacedName {
  position: Position;
  found: FoundName;
}

function* namesOf(chunk: Chunk): Generator<PlacedName, void> {
  if ('ranked' in chunk) {
    for (const one of chunk.ranked)
      yield { position: { path: one.path, key: one.key }, found: rankedName(one) };
    return;
  }
  const names = 'names' in chunk ? chunk.names.split('\0') : [];
  const counts = 'names' in chunk ? chunk.entries : undefined;
  for (const [index, entry] of names.entries()) {
    const path = entry.slice(1);
    const entries = counts?.get(index);
    const found = { path: displayPath(path), type: TYPES[entry[0]!]! };
    yield { position: { path }, found: entries === undefined ? found : { ...found, entries } };
  }
}

function rankedName({ path, name }: Ranked): FoundName {
  const { letter, bytes, modified } = name!; // each ranked result of a search for names has one
  return { path: displayPath(path), type: TYPES[letter]!, ...(bytes >= 0 && { size: bytes }), modified };
}

interface PlacedFile {
  file: FoundContent;
  key?: number;
}

function positionOf({ file, key }: PlacedFile): Position {
  return key === undefined ? { path: file.path } : { path: file.path, key };
}

function filesOf(chunk: Chunk): PlacedFile[] {
  if ('files' in chunk) return chunk.files.map((file) => ({ file }));
  if ('names' in chunk) return [];
  return chunk.ranked.flatMap(({ file, key }) => (file === undefined ? [] : [{ file, key }]));
}
