import { constants, realpathSync, type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { Check, ServeOptions } from '../options.ts';
import type { RootSpec } from '../roots.ts';
import { codeOf, type Machine } from './machine.ts';

type Given = Pick<ServeOptions, 'roots' | 'readOnly' | 'clientRoots'>;

/** Checks whether the roots can be served as requested; a root may be a file where `files` says so. */
export function checkRoots(given: Given, files: boolean, machine: Machine): readonly Check[] {
  const { roots, readOnly } = given;
  if (roots.length === 0) return [checkNoRoot(given)];
  return [
    ...roots.flatMap((root) => checkRoot({ ...root, readOnly: root.readOnly || readOnly }, files, machine)),
    ...checkOverlaps(roots.filter(({ path }) => isReached(path, machine))),
  ];
}

/** Checks whether the folder for temporary files takes the server's files, described by `what`. */
export function checkTemporary(
  what: string | undefined,
  { temporary, whyNotWritten }: Machine,
): readonly Check[] {
  if (what === undefined) return [];
  const why = whyNotWritten(temporary);
  if (why === undefined) return [{ state: 'ok', what: `${what} go to ${temporary}, which can be written` }];
  const fix = 'make it writable, or name another in TMPDIR';
  return [{ state: 'fail', what: `${what} go to ${temporary}, where nothing can be made (${why})`, fix }];
}

function checkNoRoot({ clientRoots }: Given): Check {
  if (clientRoots === 'ignore') {
    const fix = 'add a folder to the command line or leave out --client-roots ignore';
    return { state: 'fail', what: 'no root is given and those of the client are ignored', fix };
  }
  const fix = 'add a folder to the command line if your client sends none';
  return { state: 'warn', what: "no root is given, so only the client's roots are allowed", fix };
}

function checkRoot(root: RootSpec, files: boolean, machine: Machine): readonly Check[] {
  const name = `root ${root.path}`;
  const system = machine.fileSystem(root.path);
  if (!isReached(root.path, machine)) {
    const fix = 'see to its connection, or unmount it';
    return [{ state: 'fail', what: `${name}, on ${system?.name}, does not answer`, fix }];
  }
  const stats = statOf(root.path);
  const rights = checkRights(root, stats, files, machine);
  if (typeof stats === 'string' || rights.state === 'fail') return [rights];
  const on = system === undefined ? '' : `, on ${system.name}`;
  return [
    { ...rights, what: `${rights.what}${on}` },
    ...(system?.remote === true ? [untold(name, system.name)] : []),
    ...(stats.isDirectory() ? checkCase(root, machine) : []),
    ...(root.path === '/' ? [all(name)] : []),
  ];
}

function checkRights(root: RootSpec, stats: Stats | string, files: boolean, machine: Machine): Check {
  const name = `root ${root.path}`;
  if (stats === 'ENOENT')
    return { state: 'fail', what: `${name} does not exist`, fix: 'create it or correct the path' };
  if (typeof stats === 'string')
    return { state: 'fail', what: `${name} cannot be opened`, fix: `make it reachable (${stats})` };
  if (!stats.isDirectory() && !(files && stats.isFile())) {
    const fix = files ? 'name a directory or a regular file' : 'name the directory that holds it';
    return { state: 'fail', what: `${name} is not a directory`, fix };
  }
  const enter = stats.isDirectory() ? constants.X_OK : 0;
  if (!machine.can(root.path, constants.R_OK | enter))
    return { state: 'fail', what: `${name} cannot be read`, fix: 'give this user the right to read it' };
  if (root.readOnly) return { state: 'ok', what: `${name}, read-only` };
  if (!machine.can(root.path, constants.W_OK | enter)) {
    const fix = 'end it in :ro, or give this user the right to write';
    return { state: 'warn', what: `${name} cannot be written`, fix };
  }
  return { state: 'ok', what: `${name}, readable and writable` };
}

function untold(name: string, system: string): Check {
  const fix = 'use a folder of this machine where changes are to be told at once';
  return { state: 'warn', what: `${name}: ${system} does not tell of changes, so they are looked for`, fix };
}

function all(name: string): Check {
  return { state: 'warn', what: `${name} is all of this machine`, fix: 'name the folder that is meant' };
}

function checkCase({ path }: RootSpec, { foldsCase }: Machine): readonly Check[] {
  if (foldsCase(path) !== true) return [];
  return [{ state: 'ok', what: `root ${path}: names that differ in case alone are one file there` }];
}

/** only a file system of another machine or a program can block a look for ever */
function isReached(path: string, { fileSystem, answers }: Machine): boolean {
  return fileSystem(path)?.remote !== true || answers(path);
}

/** Reports roots in roots: the innermost decides, and of one folder that is named twice the read-only one. */
function checkOverlaps(roots: readonly RootSpec[]): readonly Check[] {
  const known = roots.flatMap((root) => {
    const real = realOf(root.path);
    return real === undefined ? [] : [{ ...root, real }];
  });
  return known.flatMap((inner, at) =>
    known.flatMap((outer, other): Check[] => {
      if (inner.real === outer.real) {
        if (other >= at) return [];
        const what = `root ${inner.path} is the same folder as root ${outer.path}`;
        return [{ state: 'warn', what: `${what}, and read-only if one of them is`, fix: 'name it once' }];
      }
      const above = outer.real.endsWith(sep) ? outer.real : `${outer.real}${sep}`;
      if (!inner.real.startsWith(above)) return [];
      const mode = inner.readOnly ? 'read-only' : 'writable';
      const rest = outer.readOnly ? 'read-only' : 'writable';
      const what = `root ${inner.path} lies in root ${outer.path}: ${mode} there, ${rest} around it`;
      return [{ state: 'ok', what }];
    }),
  );
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // its own check reports it
    return undefined;
  }
}

function statOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return codeOf(error);
  }
}
