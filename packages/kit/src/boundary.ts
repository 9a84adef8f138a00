export { mayChange } from './boundary/access.ts';
export { Boundary, type BoundaryOptions } from './boundary/ceiling.ts';
export { type Appended, type AppendOptions, appendFile } from './boundary/changes/append.ts';
export { type AttributeOptions, type Attributes, setAttributes } from './boundary/changes/attributes.ts';
export type { Before, ChangeOptions, Content, Making } from './boundary/changes/content.ts';
export { type Copied, copyEntry } from './boundary/changes/copy.ts';
export { type CopyOptions, copyLimit } from './boundary/changes/copy-job.ts';
export { Draft } from './boundary/changes/draft.ts';
export { type Made, makeDirectory } from './boundary/changes/folders.ts';
export { assertOneName, type HardLinks } from './boundary/changes/links.ts';
export { type Moved, moveEntry } from './boundary/changes/move.ts';
export { type Removed, type RemoveOptions, removeEntry } from './boundary/changes/remove.ts';
export { type ReplaceOptions, replaceFile, type Written } from './boundary/changes/replace.ts';
export { sweepStaging } from './boundary/changes/staging.ts';
export { type Produce, type StreamOptions, streamFile } from './boundary/changes/stream.ts';
export { type Change, type Updated, type UpdateOptions, updateFile } from './boundary/changes/update.ts';
export { type Completion, completeInSteps, completePath } from './boundary/complete.ts';
export { defaultDeny } from './boundary/deny/denied-names.ts';
export { isDenyGlob } from './boundary/deny/name-glob.ts';
export { descriptorPath } from './boundary/descriptors.ts';
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
export type { Handle, Sighting } from './boundary/handle.ts';
export { linksTo } from './boundary/link-chain.ts';
export { locate, type Watched } from './boundary/locate.ts';
export { textOfBytes } from './boundary/names/bytes.ts';
export { showName } from './boundary/names/names.ts';
export { fromFileUri, toFileUri } from './boundary/names/uris.ts';
export { type ClientRoot, type ClientRootsPolicy, Narrowing } from './boundary/narrowing.ts';
export { makeOwnFolder, removeOwnFolder } from './boundary/own-folder.ts';
export {
  denied,
  fromSystem,
  noRoots,
  notFound,
  type RefusalCode,
  refuse,
  showPath,
} from './boundary/refusal.ts';
export { parseRootSpec, type RootSpec } from './boundary/roots.ts';
export { type Containment, isInside, type Root, Scope, type ScopeFacts } from './boundary/scope.ts';
export { isStagingName } from './boundary/temporary.ts';
