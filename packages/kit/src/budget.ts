export { Budget, DEFAULT_BUDGET } from './budget/budget.ts';
export { formatBytes, parseBytes } from './budget/bytes.ts';
export { type Clip, type ClipOptions, clipText } from './budget/clip.ts';
export { invalidCursor, type Json, openCursor, sealCursor } from './budget/cursor.ts';
export { type Listing, pageOf, type Rest, startOf } from './budget/listing.ts';
export { jsonBytes } from './budget/measure.ts';
export {
  bytesOf,
  counted,
  type Fitted,
  fit,
  type Halves,
  moreNote,
  openPosition,
  sealPosition,
} from './budget/page.ts';
export { type SnapshotLimits, Snapshots } from './budget/snapshots.ts';
