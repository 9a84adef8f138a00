import { fstatSync, lstatSync, mkdirSync, openSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { systemPath } from '../names/bytes.ts';
import type { Place } from '../opening/places.ts';
import { refuse, systemCode } from '../scope/refusal.ts';
import { descriptorPath } from '../verifying/descriptors.ts';
import { folderFlags } from '../verifying/flags.ts';
import { close } from '../verifying/handle.ts';
import { kernelVerifies } from '../verifying/kernel.ts';

/** A trash that is open. */
export interface Trash {
  /** a path in the folder of discarded entries */
  file(name: string): string | Buffer;
  /** a path in the folder of their notes, undefined where the platform has none */
  note: ((name: string) => string | Buffer) | undefined;
  /** the original path in a note */
  readonly origin: string;
  close(): void;
}

/** Returns the trashes that may take an entry on Linux: that of the home, and those at the top of the file system. */
export function freedesktopTrashes(place: Place): (() => Trash | undefined)[] {
  const { dev } = place.folder.stat;
  const uid = process.getuid?.() ?? 0;
  return [
    () => {
      const data = process.env.XDG_DATA_HOME;
      const home = join(data && isAbsolute(data) ? data : join(homedir(), '.local', 'share'), 'Trash');
      if (deviceOf(home) !== dev) return undefined;
      mkdirSync(home, { recursive: true, mode: 0o700 });
      return openFreedesktop(home, place.path, dev);
    },
    () => {
      const top = topOf(place);
      const shared = join(top, '.Trash');
      // a folder, not a link, with the sticky bit, or nothing in it may be used
      const stat = lstatSync(shared, { throwIfNoEntry: false });
      if (!stat?.isDirectory() || !(stat.mode & 0o1000)) return undefined;
      return openOwn(join(shared, String(uid)), top, place, dev);
    },
    () => {
      const top = topOf(place);
      return openOwn(join(top, `.Trash-${uid}`), top, place, dev);
    },
  ];
}

function openOwn(path: string, top: string, place: Place, dev: number): Trash {
  makeIfMissing(path);
  return openFreedesktop(path, relative(top, place.path), dev);
}

function openFreedesktop(path: string, origin: string, dev: number): Trash {
  const trash = openOurs(path, dev);
  try {
    for (const name of ['files', 'info']) makeIfMissing(trash.child(name));
    const files = openOurs(trash.child('files'), dev);
    try {
      const info = openOurs(trash.child('info'), dev);
      return {
        file: (name) => systemPath(files.child(name)),
        note: (name) => systemPath(info.child(`${name}.trashinfo`)),
        origin,
        close() {
          files.close();
          info.close();
        },
      };
    } catch (error) {
      files.close();
      throw error;
    }
  } finally {
    trash.close();
  }
}

/** Returns the trashes that may take an entry on macOS. */
export function macTrashes(place: Place): (() => Trash | undefined)[] {
  const { dev } = place.folder.stat;
  const open = (path: string): Trash => {
    const files = openOurs(path, dev);
    const file = (name: string): string | Buffer => systemPath(files.child(name));
    return { file, note: undefined, origin: place.path, close: files.close };
  };
  return [
    () => (deviceOf(join(homedir(), '.Trash')) === dev ? open(join(homedir(), '.Trash')) : undefined),
    () => open(join(topOf(place), '.Trashes', String(process.getuid?.() ?? 0))),
  ];
}

/** Returns the device of a path, or of the nearest folder above it that exists. */
function deviceOf(path: string): number | undefined {
  for (let at = path; ; at = dirname(at)) {
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat !== undefined) return stat.dev;
    if (dirname(at) === at) return undefined;
  }
}

/** Returns the top of the file system that contains a place. */
function topOf({ folder }: Place): string {
  let top = folder.path;
  while (dirname(top) !== top && lstatSync(systemPath(dirname(top))).dev === folder.stat.dev)
    top = dirname(top);
  return top;
}

function makeIfMissing(path: string): void {
  try {
    mkdirSync(systemPath(path), 0o700);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Opens a folder of this user, not through a link. */
function openOurs(path: string, dev: number): { child(name: string): string; close(): void } {
  const fd = openSync(systemPath(path), folderFlags);
  const stat = fstatSync(fd);
  if (!isOurs(stat, dev)) {
    close(fd);
    throw refuse('permission', 'the trash', 'it belongs to somebody else');
  }
  const base = kernelVerifies() ? descriptorPath(fd) : path;
  return { child: (name) => `${base}/${name}`, close: () => close(fd) };
}

function isOurs(stat: Stats, dev: number): boolean {
  return stat.isDirectory() && stat.dev === dev && stat.uid === process.getuid?.();
}
