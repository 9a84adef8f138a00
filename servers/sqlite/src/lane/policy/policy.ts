import { defined } from '@rootbound/kit/primitives';
import { LaneError } from '../../shared/error.ts';
import type { Mode } from '../../shared/frames.ts';
import { isAllowedFunction } from './functions.ts';
import type { Program } from './program.ts';

/**
 * Throws unless a caller may run a statement with this program: it stays in its database, writes only in mode `write`,
 * and calls only functions that compute.
 */
export function assertAllowed(program: Program, mode: Mode): void {
  const { controls, functions, virtualTables, verb, explains } = program;
  if (controls.length > 0) throw refusal(`${verb} works on the file as a whole and is refused`);
  const other = functions.find((name) => !isAllowedFunction(name));
  if (other !== undefined) throw refusal(`the function ${other}() is not allowed`);
  if (virtualTables.includes(undefined))
    throw refusal('the statement uses a table-valued function that is not allowed');
  if (program.usesTemp && verb !== 'ALTER') {
    throw refusal(
      'temporary tables are not allowed',
      'use a common table expression (WITH), or create an ordinary table and drop it',
    );
  }
  if (explains) return;
  if (mode === 'read' && (program.writes.length > 0 || program.writesTables.length > 0)) {
    throw new LaneError('the statement would write', {
      code: 'read-only',
      hint: 'use write_query',
    });
  }
  const foreign = program.writes.find((schema) => schema !== 'main' && schema !== 'temp');
  if (foreign !== undefined) throw refusal(`the statement would write to ${foreign}`);
}

function refusal(message: string, hint?: string): LaneError {
  return new LaneError(message, { code: 'refused', ...defined({ hint }) });
}
