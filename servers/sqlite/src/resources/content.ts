import { type CallContext, type ReadOutcome, ToolError } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import type { Workspace } from '../workspace.ts';

/** The content of a reading, JSON that is text already. */
export function contentOf(uri: string, text: string): ReadOutcome {
  return [{ uri, mimeType: 'application/json', text }];
}

/** What the content takes in a message. */
export function bytesOf(outcome: ReadOutcome): number {
  return Buffer.byteLength(JSON.stringify(outcome));
}

/** The refusal of what a part of could be taken for all. */
export function tooLarge(maxOutput: number, hint: string): ToolError {
  return new ToolError(`it exceeds the limit of ${maxOutput} bytes`, { code: 'too-large', hint });
}

/** The refusal of what is missing, outside, or of another kind: callers do not learn which. */
export function notFound(): ToolError {
  return new ToolError('nothing is there', { code: 'not-found' });
}

/** What a reading of one database works with. */
export interface DatabaseRead {
  readonly context: CallContext<Workspace, undefined>;
  readonly database: Database;
  readonly uri: string;
}
