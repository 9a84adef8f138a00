import { closeSync, lstatSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { bytesOfText } from '../names/bytes.ts';
import type { Place } from '../opening/places.ts';
import { fromSystem, refuse, systemCode } from '../scope/refusal.ts';
import { newFileFlags } from '../verifying/flags.ts';
import { freedesktopTrashes, macTrashes, type Trash } from './trashes.ts';

/**
 * Moves an entry to the platform's trash, from which a person can restore it: on Linux by the Trash specification 1.0
 * of freedesktop.org, on macOS into `.Trash`. Throws where the file system has none, and on Windows, whose recycle bin
 * has no interface for file operations; never deletes anything instead. The trash lies outside the roots: the operator
 * permits that by asking for it.
 */
export function moveToTrash(place: Place, displayPath: string): void {
  if (process.platform === 'win32') throw noTrash(displayPath);
  const trashes = process.platform === 'darwin' ? macTrashes(place) : freedesktopTrashes(place);
  for (const find of trashes) {
    let trash: Trash | undefined;
    try {
      trash = find();
    } catch (error) {
      // a trash that cannot be created counts as none
      fromSystem(error, displayPath);
    }
    if (trash === undefined) continue;
    try {
      put(place, trash);
      return;
    } catch (error) {
      // a bind mount between the place and the trash
      if (systemCode(error) !== 'EXDEV') throw fromSystem(error, displayPath);
    } finally {
      trash.close();
    }
  }
  throw noTrash(displayPath);
}

function noTrash(displayPath: string): Error {
  return refuse(
    'unsupported',
    displayPath,
    'there is no trash for it here; with --allow-delete instead of --trash the server deletes it',
  );
}

const attempts = 10_000;

function put(place: Place, trash: Trash): void {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const name = nameIn(place.name, attempt);
    if (!reserve(trash, name)) continue;
    try {
      renameSync(place.folder.child(place.name), trash.file(name));
      return;
    } catch (error) {
      if (trash.note !== undefined) unlinkSync(trash.note(name));
      throw error;
    }
  }
  throw refuse('exists', place.name, 'the trash holds too many of that name; empty it');
}

/** Creates the note for a name, which reserves it; returns false when it is taken. */
function reserve(trash: Trash, name: string): boolean {
  if (trash.note === undefined) return lstatSync(trash.file(name), { throwIfNoEntry: false }) === undefined;
  let fd: number;
  try {
    fd = openSync(trash.note(name), newFileFlags, 0o600);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    // another program left the name there without a note
    const taken = lstatSync(trash.file(name), { throwIfNoEntry: false }) !== undefined;
    if (taken) {
      unlinkSync(trash.note(name));
      return false;
    }
    writeSync(fd, noteOf(trash.origin));
    return true;
  } catch (error) {
    unlinkSync(trash.note(name));
    throw error;
  } finally {
    closeSync(fd);
  }
}

function noteOf(origin: string): string {
  const path = origin.split('/').map(encodeName).join('/');
  return `[Trash Info]\nPath=${path}\nDeletionDate=${localTime(new Date())}\n`;
}

function encodeName(name: string): string {
  if (name.isWellFormed()) return encodeURIComponent(name);
  return bytesOfText(name).toString('hex').replace(/../g, '%$&');
}

function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

// room for a number and for the extension of the note
const longestName = 230;

function nameIn(name: string, attempt: number): string {
  const kept = Buffer.byteLength(name) <= longestName ? name : shorten(name);
  if (attempt === 1) return kept;
  const ending = extname(kept);
  return `${kept.slice(0, kept.length - ending.length)}.${attempt}${ending}`;
}

function shorten(name: string): string {
  let short = '';
  let bytes = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestName) break;
    short += character;
  }
  return short;
}
