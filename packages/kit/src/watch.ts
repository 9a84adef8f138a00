export {
  type Digest,
  type Seen,
  WatchHub,
  type WatchHubOptions,
  type WatchKind,
  type WatchOptions,
} from './watch/hub.ts';
