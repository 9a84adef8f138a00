import { type CallContext, type ReadOutcome, ToolError } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import type { Workspace } from '../workspace.ts';

/** Returns the content of a resource from JSON text. */
export function contentOf(uri: string, text: string): ReadOutcome {
  return [{ uri, mimeType: 'application/json', text }];
}

/** Returns the size of the content in a message, bytes. */
export function bytesOf(outcome: ReadOutcome): number {
  return Buffer.byteLength(JSON.stringify(outcome));
}

/** Returns the failure of content that exceeds the limit and may not be truncated. */
export function tooLarge(maxOutput: number, hint: string): ToolError {
  return new ToolError(`the resource exceeds the limit of ${maxOutput} bytes`, { code: 'too-large', hint });
}

/**
 * Returns the failure of a resource that is missing, outside the roots or of another kind; callers cannot distinguish
 * these.
 */
export function notFound(): ToolError {
  return new ToolError('no such resource', { code: 'not-found' });
}

/** The call, database and URI of one resource read. */
export interface DatabaseRead {
  readonly context: CallContext<Workspace, undefined>;
  readonly database: Database;
  readonly uri: string;
}
