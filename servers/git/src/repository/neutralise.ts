import { isUtf8 } from 'node:buffer';
import { join, sep } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import type { Setting } from '../run/settings.ts';
import type { Found } from './configuration.ts';
import { type Executing, executingOf } from './executing.ts';
import type { Repository } from './repository.ts';
import { realOf } from './witness.ts';

/** A setting of the repository that git must not act on. */
export interface Danger {
  readonly found: Found;
  readonly setting: Executing;
}

/** What in the settings comes from the repository and would execute, redirect, or read and write elsewhere. */
export function dangersOf(settings: readonly Found[], repository: Repository): Danger[] {
  const dangers: Danger[] = [];
  for (const found of settings) {
    const match = executingOf(found.key);
    if (match === undefined) continue;
    const { setting, name } = match;
    // the program of the operator is the repository's when it is looked for there
    if (!found.foreign && !(setting.program === true && isRelative(found.value ?? ''))) continue;
    if (setting.when?.(found.value ?? 'true', name) === false) continue;
    if (setting.path === true && isOwnFile(found.value ?? '', repository)) continue;
    dangers.push({ found, setting });
  }
  return dangers;
}

/** A command line whose program is a path below the current folder, which is the top of the work tree. */
export function isRelative(command: string): boolean {
  return /^[!"'\s]*(?![!"'\s])(?:(?<=!)|(?![/~$\\]|[A-Za-z]:))[^\s"']*\//.test(command);
}

/** Whether a path of a setting leads to something of the repository itself. */
function isOwnFile(path: string, { place, commonDir }: Repository): boolean {
  if (path.startsWith('~')) return false;
  const base = Buffer.from(place.workTree ?? place.gitDir).toString('latin1');
  const real = realOf(path.startsWith('/') ? path : join(base, path));
  return [place.workTree, place.gitDir, commonDir].some(
    (folder) => folder !== undefined && real.startsWith(Buffer.from(folder).toString('latin1') + sep),
  );
}

/** What is given to git so that it acts on none of the dangers, or on those alone that trust lets through. */
export function neutralise(
  dangers: readonly Danger[],
  settings: readonly Found[],
  trusted: boolean,
): Setting[] {
  const given: Setting[] = [];
  const done = new Set<string>();
  const operator = settings.filter(({ foreign }) => !foreign);
  for (const { found, setting } of dangers) {
    if (done.has(found.key) || (trusted && setting.trusted === true)) continue;
    done.add(found.key);
    if (setting.instead === undefined) continue;
    const key = utf8(found.key);
    if (key === undefined) throw unspeakable();
    const own = valuesFor(found.key, operator);
    const values = setting.list === true ? ['', ...own] : [own.at(-1) ?? setting.instead];
    for (const value of values) given.push([key, value]);
  }
  // whatever there is now and will be: the helpers of the operator alone
  if (!trusted) given.push(...operatorHelpers(operator));
  return given;
}

/** What the operator says for a key, or for every address where the key is for one. */
function valuesFor(key: string, operator: readonly Found[]): string[] {
  const general = key.startsWith('http.') ? `http.${key.slice(key.lastIndexOf('.') + 1)}` : key;
  const program = executingOf(key)?.setting.program === true;
  return operator
    .filter((each) => each.key === key || each.key === general || isSameProgram(each.key, key))
    .map(({ value }) => utf8(value ?? 'true'))
    .filter((value) => value !== undefined && !(program && isRelative(value)))
    .map((value) => value!);
}

/** Two names of one setting, of which the last counts. */
function isSameProgram(one: string, other: string): boolean {
  const openpgp = ['gpg.program', 'gpg.openpgp.program'];
  return openpgp.includes(one) && openpgp.includes(other);
}

function operatorHelpers(operator: readonly Found[]): Setting[] {
  const given: Setting[] = [['credential.helper', '']];
  for (const { key, value } of operator) {
    if (key !== 'credential.helper' && !(key.startsWith('credential.') && key.endsWith('.helper'))) continue;
    const [name, helper] = [utf8(key), utf8(value ?? '')];
    if (name !== undefined && helper !== undefined && !isRelative(helper)) given.push([name, helper]);
  }
  return given;
}

function utf8(bytes: string): string | undefined {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString() : undefined;
}

/** A key that no environment can carry as it is. */
function unspeakable(): ToolError {
  return new ToolError('the configuration of the repository names a driver in bytes that are not UTF-8', {
    code: 'unsupported',
    hint: 'rename or remove it in the configuration',
  });
}
