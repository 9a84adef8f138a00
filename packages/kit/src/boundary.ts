export { Boundary, type BoundaryOptions } from './boundary/boundary.ts';
export { type Appended, type AppendOptions, appendFile } from './boundary/changes/append.ts';
export { type AttributeOptions, type Attributes, setAttributes } from './boundary/changes/attributes.ts';
export type { Before, ChangeOptions, Content, Making } from './boundary/changes/content.ts';
export { type Copied, copyEntry } from './boundary/changes/copy.ts';
export { type CopyOptions, copyLimit } from './boundary/changes/copy-job.ts';
export { Draft } from './boundary/changes/draft.ts';
export { type Made, makeDirectory } from './boundary/changes/folders.ts';
export { assertOneName, type HardLinks } from './boundary/changes/links.ts';
export { type Moved, moveEntry } from './boundary/changes/move.ts';
export { makeOwnFolder, removeOwnFolder } from './boundary/changes/own-folder.ts';
export { type Removed, type RemoveOptions, removeEntry } from './boundary/changes/remove.ts';
export { type ReplaceOptions, replaceFile, type Written } from './boundary/changes/replace.ts';
export { sweepStaging } from './boundary/changes/staging.ts';
export { type Produce, type StreamOptions, streamFile } from './boundary/changes/stream.ts';
export { type Change, type Updated, type UpdateOptions, updateFile } from './boundary/changes/update.ts';
export { defaultDeny } from './boundary/deny/denied-names.ts';
export { isDenyGlob } from './boundary/deny/name-glob.ts';
export { textOfBytes } from './boundary/names/bytes.ts';
export { showName } from './boundary/names/names.ts';
export { fromFileUri, toFileUri } from './boundary/names/uris.ts';
export { mayChange } from './boundary/opening/access.ts';
export { type Completion, completeInSteps, completePath } from './boundary/opening/complete.ts';
export { type OpenDirectory, openDirectory } from './boundary/opening/directories.ts';
export {
  type Entry,
  type EntryFacts,
  type EntryKind,
  kindOf,
  readEntries,
  statChild,
  statEntry,
} from './boundary/opening/entries.ts';
export { type ContentFacts, etagOf } from './boundary/opening/etag.ts';
export {
  type OpenFile,
  openChildFile,
  openFile,
  readSmall,
  type SmallFile,
} from './boundary/opening/files.ts';
export { linksTo } from './boundary/opening/link-chain.ts';
export { locate, type Watched } from './boundary/opening/locate.ts';
export { isStagingName } from './boundary/opening/temporary.ts';
export { type ClientRoot, type ClientRootsPolicy, Narrowing } from './boundary/scope/narrowing.ts';
export {
  denied,
  fromSystem,
  noRoots,
  notFound,
  type RefusalCode,
  refuse,
  showPath,
} from './boundary/scope/refusal.ts';
export { parseRootSpec, type RootSpec } from './boundary/scope/roots.ts';
export { type Containment, isInside, type Root, Scope, type ScopeFacts } from './boundary/scope/scope.ts';
export { descriptorPath } from './boundary/verifying/descriptors.ts';
export type { Handle, Sighting } from './boundary/verifying/handle.ts';
