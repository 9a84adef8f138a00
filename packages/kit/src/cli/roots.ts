import { posix } from 'node:path';
import { Problem, quote } from './problem.ts';

/** A directory, or where the server says so a file, as the operator named it. */
export interface RootSpec {
  path: string;
  readOnly: boolean;
}

/**
 * Parses a root: `/srv/data:ro` is read-only. On Windows `d:ro` is a place on drive D, and everywhere a name that
 * really ends in `:ro` is written with a slash after it.
 */
export function parseRoot(text: string, platform: NodeJS.Platform = process.platform): RootSpec | undefined {
  const windows = platform === 'win32';
  const readOnly = text.endsWith(':ro') && !(windows && /^[A-Za-z]:ro$/.test(text));
  let path = readOnly ? text.slice(0, -':ro'.length) : text;
  if (path === '') return undefined;
  // "C:" alone would be the last working folder on that drive
  if (windows && /^[A-Za-z]:$/.test(path)) path += '\\';
  if (!windows && ofSystem.test(posix.normalize(path)))
    throw new Problem(`a root is a folder of files, got ${quote(path)}, which shows the state of the system`);
  return { path, readOnly };
}

// where Unix shows processes and devices as files: reading one can block for ever, or change things
const ofSystem = /^\/(?:proc|sys|dev(?!\/shm(?:\/|$)))(?:\/|$)/;

/** Returns the argument that `parseRoot` parses as this root. */
export function formatRoot(root: RootSpec): string {
  if (root.readOnly) return `${root.path}:ro`;
  return root.path.endsWith(':ro') ? `${root.path}/` : root.path;
}
