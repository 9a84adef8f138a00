import { ToolError } from '@rootbound/protocol';

// why a call of a lane ends without an answer of its verb

export const cancelled = (): ToolError =>
  new ToolError('the call was cancelled', { code: 'cancelled', retryable: true });

export const closing = (): ToolError =>
  new ToolError('the server is closing', { code: 'closing', retryable: true });

export const tooLate = (deadlineMs: number): ToolError =>
  new ToolError(`it took longer than ${deadlineMs} ms, and was stopped`, {
    code: 'deadline',
    hint: 'narrow it down, or give more time with timeout_ms',
  });

export const ended = (): ToolError =>
  new ToolError('the process that ran it ended, as when it takes too much memory', {
    code: 'lane-ended',
    retryable: true,
    hint: 'ask for less at once',
  });

export function cannotStart(error: unknown): ToolError {
  return new ToolError(`SQLite cannot be started: ${(error as Error).message.split('\n').at(0)}`, {
    code: 'no-driver',
    hint: 'server-sqlite --doctor says what is missing',
    cause: error,
  });
}
