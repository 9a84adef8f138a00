import type { Handle, Sighting } from './handle.ts';
import * as byKernel from './kernel.ts';
import * as byNames from './portable.ts';
import type { Scope } from './scope.ts';

/** The two ways to verify; every operation is written once, over this. */
export interface Backend {
  /** opens a regular file for reading; never waits on a FIFO and never wakes a device */
  openRegular(scope: Scope, candidate: string, displayPath: string): Handle;
  openFolder(scope: Scope, candidate: string, displayPath: string): Handle;
  /** looks at an entry, through a final link only when told to follow */
  sight(scope: Scope, candidate: string, displayPath: string, follow: boolean): Sighting;
  /** a path to a name in the folder, good for one call right away */
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

/** The backend that a scope's containment asks for. */
export function backendOf(scope: Scope): Backend {
  return scope.containment === 'kernel' ? kernel : portable;
}
