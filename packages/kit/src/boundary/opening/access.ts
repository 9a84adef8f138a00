import { accessSync, constants } from 'node:fs';
import type { Scope } from '../scope/scope.ts';
import { descriptorPath } from '../verifying/descriptors.ts';
import type { Handle } from '../verifying/handle.ts';

/**
 * Returns whether the operating system lets this process change an open file: its rights, and a writable file system.
 */
export function mayChange({ containment }: Scope, { fd, path }: Pick<Handle, 'fd' | 'path'>): boolean {
  try {
    accessSync(containment === 'kernel' ? descriptorPath(fd) : path, constants.W_OK);
    return true;
  } catch {
    // whatever the reason, it may not
    return false;
  }
}
