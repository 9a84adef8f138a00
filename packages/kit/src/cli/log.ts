import { writeSync } from 'node:fs';
import { visible } from '@rootbound/protocol';
import { LOG_LEVELS, type LogLevel } from './options.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one line; a message that is a function is only called when the line is written. */
export type LogLine = (message: string | (() => string), fields?: LogFields) => void;

/** One function for each severity of RFC 5424. */
export type Logger = Readonly<Record<LogLevel, LogLine>>;

export interface LoggerOptions {
  /** the least severity that is written */
  level: LogLevel;
  json: boolean;
  /** receives finished lines; stderr unless given */
  write?: (line: string) => void;
  now?: () => Date;
}

const MAX_LINE = 8192;

/** Returns a logger for stderr, one line a message, control characters escaped. */
export function createLogger(options: LoggerOptions): Logger {
  const { write = writeStderr, now = () => new Date() } = options;
  const format = options.json ? jsonLine : textLine;
  const least = LOG_LEVELS.indexOf(options.level);
  const lineAt =
    (level: LogLevel): LogLine =>
    (message, fields = {}) => {
      const text = typeof message === 'function' ? message() : message;
      write(`${format(now().toISOString(), level, text, fields)}\n`);
    };
  const functions = LOG_LEVELS.map((level, index) => [level, index < least ? silent : lineAt(level)]);
  // one entry for each level, made from the list of levels
  return Object.freeze(Object.fromEntries(functions)) as Logger;
}

function silent(): void {}

function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${toJson(value)}`);
  return visible(clipped(`${time} ${level} ${message}${pairs.join('')}`));
}

function jsonLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const line = toJson({ ...fields, time, level, message });
  if (line.length <= MAX_LINE) return visible(line);
  return visible(toJson({ time, level, message: clipped(message, MAX_LINE / 2), clipped: true }));
}

function clipped(text: string, length: number = MAX_LINE): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, plain) ?? 'null';
  } catch {
    // a cycle or a throwing getter: the message itself matters more
    return '"[unprintable]"';
  }
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return typeof value === 'bigint' ? value.toString() : value;
}

function writeStderr(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // stderr is closed or full: a log line is never worth the process
  }
}
