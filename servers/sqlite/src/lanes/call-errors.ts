import { ToolError } from '@rootbound/protocol';
import { messageOf } from '../shared/error.ts';

// failures of calls that end without an answer of their verb

export const cancelled = (): ToolError =>
  new ToolError('the call was cancelled', { code: 'cancelled', retryable: true });

export const closing = (): ToolError =>
  new ToolError('the server is closing', { code: 'closing', retryable: true });

export const tooLate = (deadlineMs: number): ToolError =>
  new ToolError(`the call was stopped after ${deadlineMs} ms`, {
    code: 'deadline',
    hint: 'narrow the query, or raise timeout_ms',
  });

export const ended = (): ToolError =>
  new ToolError('the process that ran the call ended, possibly at its memory limit', {
    code: 'lane-ended',
    retryable: true,
    hint: 'request fewer rows or columns',
  });

export function cannotStart(error: unknown): ToolError {
  return new ToolError(`SQLite cannot be started: ${messageOf(error).split('\n').at(0)}`, {
    code: 'no-driver',
    hint: 'ask the user to run server-sqlite --doctor, which reports the cause',
    cause: error,
  });
}
