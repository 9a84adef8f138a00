export { Boundary, type BoundaryOptions } from './boundary/ceiling.ts';
export { type Completion, completePath } from './boundary/complete.ts';
export { type OpenDirectory, openDirectory } from './boundary/directories.ts';
export {
  type Entry,
  type EntryFacts,
  type EntryKind,
  kindOf,
  readEntries,
  statChild,
  statEntry,
} from './boundary/entries.ts';
export { type ContentFacts, etagOf } from './boundary/etag.ts';
export { type OpenFile, openChildFile, openFile, readSmall, type SmallFile } from './boundary/files.ts';
export { makeDirectory } from './boundary/folders.ts';
export type { Handle, Sighting } from './boundary/handle.ts';
export { locate, type Watched } from './boundary/locate.ts';
export { type Moved, moveEntry } from './boundary/move.ts';
export { showName } from './boundary/names.ts';
export { type ClientRoot, type ClientRootsPolicy, Narrowing } from './boundary/narrowing.ts';
export { inOrder } from './boundary/order.ts';
export { fromSystem, notFound, type RefusalCode, refuse } from './boundary/refusal.ts';
export { type Content, type ReplaceOptions, replaceFile, type Written } from './boundary/replace.ts';
export { parseRootSpec, type RootSpec } from './boundary/roots.ts';
export { type Containment, isInside, type Root, Scope, type ScopeFacts } from './boundary/scope.ts';
export { isStagingName, sweepStaging } from './boundary/staging.ts';
export { type Updated, type UpdateOptions, updateFile } from './boundary/update.ts';
export { fromFileUri, toFileUri } from './boundary/uris.ts';
