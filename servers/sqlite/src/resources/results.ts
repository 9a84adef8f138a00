import { readFileSync, statSync } from 'node:fs';
import type { ReadOutcome } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { nothingThere, tooLarge } from './outcome.ts';

/** A message holds no more. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The whole result of a query, for who has asked it. */
export function readResult(uri: string, handle: string, { engine, owner }: Workspace): ReadOutcome {
  const result = engine.results.find(handle, owner);
  const size = result === undefined ? undefined : statSync(result.path, { throwIfNoEntry: false })?.size;
  if (result?.shown === undefined || size === undefined) throw nothingThere();
  if (size > MOST_BYTES) throw tooLarge(MOST_BYTES, 'export_data writes it to a file');
  return [{ uri, mimeType: result.shown.mimeType, text: readFileSync(result.path, 'utf8') }];
}
