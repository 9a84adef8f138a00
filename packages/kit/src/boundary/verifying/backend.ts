import type { Scope } from '../scope/scope.ts';
import type { Handle, Sighting } from './handle.ts';
import * as byKernel from './kernel.ts';
import * as byNames from './portable.ts';

/** The two ways to verify; every operation is written once on this interface. */
export interface Backend {
  /** opens a regular file for reading; never blocks on a FIFO and has no effect on a device */
  openRegular(scope: Scope, candidate: string, displayPath: string): Handle;
  openFolder(scope: Scope, candidate: string, displayPath: string): Handle;
  /** stats an entry, and follows a final link only when asked to */
  sight(scope: Scope, candidate: string, displayPath: string, follow: boolean): Sighting;
  /** returns a path to a name in the folder, valid for one call right away */
  child(folder: Handle, name: string | Buffer): string | Buffer;
}

// plain objects: the namespaces of modules would stay objects with a getter for each name in a bundle
const kernel: Backend = {
  openRegular: byKernel.openRegular,
  openFolder: byKernel.openFolder,
  sight: byKernel.sight,
  child: byKernel.child,
};
const portable: Backend = {
  openRegular: byNames.openRegular,
  openFolder: byNames.openFolder,
  sight: byNames.sight,
  child: byNames.child,
};

/** Returns the backend for a scope's containment. */
export function backendOf(scope: Scope): Backend {
  return scope.containment === 'kernel' ? kernel : portable;
}
