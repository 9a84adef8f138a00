import { isUtf8 } from 'node:buffer';
import { defined } from '@rootbound/kit/primitives';
import { type ReadOutcome, type ResourceContents, ToolError } from '@rootbound/protocol';

/** The content read for a URI. */
export interface Read {
  readonly body: object | Buffer;
  /** binary content; the text is JSON about it */
  readonly mimeType?: string;
  /** the tool that returns parts of content that does not fit */
  readonly tool: string;
  /** whether the ids in its URI name it for ever */
  readonly fixed?: boolean;
}

/** A day, longer than any session. Content named by ids never changes; who may read it may change. */
const FIXED = { ttlMs: 24 * 60 * 60 * 1000, cacheScope: 'private' } as const;

/** Returns the result of reading a URI: the whole content, or a failure. */
export function outcomeOf(uri: string, read: Read, maxOutput: number): ReadOutcome {
  const contents = [contentsOf(uri, read)];
  const bytes = Buffer.byteLength(JSON.stringify(contents));
  if (bytes > maxOutput) throw tooLarge(read.tool, maxOutput);
  return read.fixed === true ? { contents, ...FIXED } : contents;
}

function contentsOf(uri: string, { body, mimeType }: Read): ResourceContents {
  if (!Buffer.isBuffer(body)) return { uri, mimeType: 'application/json', text: JSON.stringify(body) };
  const typed = { uri, ...defined({ mimeType }) };
  const isText = isUtf8(body) && !body.includes(0);
  return isText ? { ...typed, text: body.toString() } : { ...typed, blob: body.toString('base64') };
}

/** a part of it could be taken for the whole */
export function tooLarge(tool: string, maxOutput: number): ToolError {
  return new ToolError(`it exceeds the limit of ${maxOutput} bytes`, {
    code: 'too-large',
    hint: `${tool} gives it in parts`,
  });
}

/** Returns the failure for a missing or outside target, or one of another kind: callers do not learn which. */
export function nothingThere(): ToolError {
  return new ToolError('nothing is there', { code: 'not-found' });
}
