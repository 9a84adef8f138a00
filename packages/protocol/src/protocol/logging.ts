import type { LoggingLevel } from './types.ts';

/** Log levels in increasing severity (RFC 5424). */
export const loggingLevels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return (loggingLevels as readonly unknown[]).includes(value); // includes accepts any value
}

/** Returns true if a message of `level` is sent to a client that asked for `threshold` and above. */
export function reaches(level: LoggingLevel, threshold: LoggingLevel): boolean {
  return loggingLevels.indexOf(level) >= loggingLevels.indexOf(threshold);
}
