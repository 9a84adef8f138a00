import { readlinkSync } from 'node:fs';

let folder: string | undefined;

/** The path by which this process reaches its open files, wherever they have been moved: Linux with /proc. */
export function descriptorPath(fd: number): string {
  folder ??= `/proc/${ownName()}/fd/`;
  return folder + fd;
}

/** The process by its number: `self` is resolved anew for each path, 0.4 microseconds of the 4 that opening takes. */
function ownName(): string {
  const self = 'self';
  try {
    // a /proc of another namespace counts processes differently
    return readlinkSync(`/proc/${self}`) === `${process.pid}` ? `${process.pid}` : self;
  } catch {
    return self;
  }
}
