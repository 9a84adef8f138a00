export { WatchHub, type WatchHubOptions, type WatchKind } from './watch/hub.ts';
