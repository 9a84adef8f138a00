import { accessSync, constants } from 'node:fs';
import { descriptorPath } from './descriptors.ts';
import type { Handle } from './handle.ts';
import type { Scope } from './scope.ts';

/** Whether the operating system lets this process change what is open: its rights, and a file system that takes it. */
export function mayChange({ containment }: Scope, { fd, path }: Pick<Handle, 'fd' | 'path'>): boolean {
  try {
    accessSync(containment === 'kernel' ? descriptorPath(fd) : path, constants.W_OK);
    return true;
  } catch {
    // whatever stands in the way, it may not
    return false;
  }
}
