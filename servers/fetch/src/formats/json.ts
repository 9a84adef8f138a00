import { removeInvisible } from '../markdown/invisible.ts';
import { nothingRemoved, type Reading } from '../reading/reading.ts';
import type { TextInput } from './input.ts';
import { layOut } from './json-layout.ts';
import { shapeOf } from './json-shape.ts';
import { readPlain, writtenLinks } from './plain-text.ts';

export interface JsonBounds {
  /** characters of JSON that is formatted; longer JSON keeps its layout */
  readonly characters: number;
}

const defaultBounds: JsonBounds = { characters: 8_000_000 };

/**
 * Formats JSON in lines and describes its shape; numbers keep their spelling. JSON lines keep their layout. Invalid
 * JSON is read as text.
 */
export function readJson(input: TextInput, bounds: Partial<JsonBounds> = {}): Reading {
  const { characters } = { ...defaultBounds, ...bounds };
  const { text: source, removed } = removeInvisible(input.text.replace(/^\)\]\}'?,?[ \t]*\r?\n/, ''));
  const value = parse(source);
  const rows = value === undefined ? parseLines(source) : undefined;
  if (value === undefined && rows === undefined) return readPlain({ ...input, mediaType: 'text/plain' });
  const text = value === undefined || source.length > characters ? source : layOut(source, characters);
  return {
    kind: 'json',
    mediaType: rows === undefined ? input.mediaType : 'application/x-ndjson',
    text,
    charset: input.charset,
    headings: [],
    links: writtenLinks(source.replaceAll('\\/', '/'), input.url),
    metadata: {},
    removed: { ...nothingRemoved, invisible: removed },
    shape: shapeOf(rows ?? value!.value, rows === undefined ? '$' : 'line'),
  };
}

function parse(source: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(source) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Parses lines that are each JSON, at least two; each may follow the separator of a JSON text sequence. */
function parseLines(source: string): unknown[] | undefined {
  const lines = source.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length < 2 || !/^\s*[{[]/.test(lines[0]!)) return undefined;
  const values = lines.map(parse);
  return values.every((each) => each !== undefined) ? values.map(({ value }) => value) : undefined;
}
