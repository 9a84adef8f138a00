import type { Stats } from 'node:fs';
import { ToolError } from '@rootbound/protocol';
import { missHint } from '../names/hints.ts';
import { showName } from '../names/names.ts';
import type { Scope } from './scope.ts';

/** Returns the one failure for missing and outside paths: callers must not learn which. */
export function notFound(path: string): ToolError {
  return new ToolError(`no such file or folder: ${showPath(path)}`, {
    code: 'not-found',
    hint: missHint(path) ?? 'it does not exist or is outside the allowed roots',
  });
}

/** Returns the failure for creating or changing a denied path; it is the same whether that exists or not. */
export function denied(path: string): ToolError {
  return new ToolError(`the operator's policy denies this name: ${showPath(path)}`, {
    code: 'permission',
    hint: 'use another name; denied ones can be neither read nor changed',
  });
}

/** Returns the failure for moving, replacing or deleting an entry that the boundary itself needs in its place. */
export function stays(path: string, why: string): ToolError {
  return new ToolError(`has to stay where it is: ${showPath(path)}`, { code: 'permission', hint: why });
}

/** Returns the failure for deleting a folder that contains a denied entry; it names no more than the caller did. */
export function keeps(path: string): ToolError {
  return stays(path, "it holds something that the operator's policy keeps; delete the rest by name");
}

/** Returns the failure for an entry that is no regular file; it names folders, which are the most frequent. */
export function noFile(path: string, stat: Stats | undefined): ToolError {
  return refuse('not-a-file', path, stat?.isDirectory() ? 'it is a folder' : undefined);
}

/** Returns the failure when nothing is allowed, with the reason and the way to add a root. */
export function noRoots(scope: Scope): ToolError {
  return new ToolError(`nothing is allowed: ${scope.reason}`, {
    code: 'no-roots',
    hint: "name a folder on the server's command line, or let the client offer one as a root",
  });
}

export type RefusalCode = keyof typeof refusals;

const refusals = {
  'not-a-file': (path: string) => `not a regular file: ${path}`,
  'not-a-directory': (path: string) => `not a folder: ${path}`,
  exists: (path: string) => `already exists: ${path}`,
  'read-only': (path: string) => `read-only: ${path}`,
  'too-large': (path: string) => `too large: ${path}`,
  permission: (path: string) => `the operating system denies access: ${path}`,
  'in-use': (path: string) => `the system keeps it in its place: ${path}`,
  busy: (path: string) => `busy, try again: ${path}`,
  changed: (path: string) => `changed by someone else meanwhile: ${path}`,
  'no-space': (path: string) => `no space left to write: ${path}`,
  'invalid-path': (path: string) => `not a usable path: ${path}`,
  ambiguous: (path: string) => `more than one name looks like this: ${path}`,
  'not-empty': (path: string) => `not empty: ${path}`,
  linked: (path: string) => `has other hard links: ${path}`,
  unsupported: (path: string) => `not possible on this file system: ${path}`,
} as const;

const retryable: ReadonlySet<RefusalCode> = new Set(['busy', 'changed']);

/** Returns a failure with the text of its code; `hint` states the next step. */
export function refuse(code: RefusalCode, path: string, hint?: string, cause?: unknown): ToolError {
  return new ToolError(refusals[code](showPath(path)), {
    code,
    retryable: retryable.has(code),
    ...(hint === undefined ? {} : { hint }),
    ...(cause === undefined ? {} : { cause }),
  });
}

const systemCodes: Readonly<Record<string, RefusalCode>> = {
  EACCES: 'permission',
  EPERM: 'permission',
  EEXIST: 'exists',
  ENOTEMPTY: 'exists',
  EISDIR: 'not-a-file',
  EROFS: 'read-only',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EFBIG: 'too-large',
  ENAMETOOLONG: 'invalid-path',
  EINVAL: 'invalid-path',
  ERR_INVALID_ARG_VALUE: 'invalid-path',
  EMFILE: 'busy',
  ENFILE: 'busy',
  // Windows reports a file that another program holds open in this way; elsewhere it is permanent
  EBUSY: process.platform === 'win32' ? 'busy' : 'in-use',
  ETXTBSY: 'busy',
  EAGAIN: 'busy',
  EXDEV: 'unsupported',
  EOPNOTSUPP: 'unsupported',
  ENOTSUP: 'unsupported',
};

const systemHints: Readonly<Record<string, string>> = {
  EBUSY: 'it is a mount point, or in use by the kernel',
  ENAMETOOLONG: 'a name has at most 255 bytes here, and a path 4095',
};

/** Returns a system error as a failure, which names only the path that the caller sent. */
export function fromSystem(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = systemCode(error);
  if (code === undefined) throw error;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return notFound(path);
  const known = systemCodes[code];
  if (known !== undefined) return refuse(known, path, systemHints[code], error);
  return new ToolError(`the operating system answered ${code}: ${showPath(path)}`, {
    code: 'failed',
    cause: error,
  });
}

/** Returns the errno name of a system error, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns whether the error is the failure for missing and outside paths. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ToolError && error.code === 'not-found';
}

const displayLimit = 300;

/** Returns a path on one line, cut when it is long: for messages, which have a limit. */
export function showPath(path: string): string {
  return showName(path.length > displayLimit ? `${path.slice(0, displayLimit)}...` : path);
}
