export { unlessAborted } from './primitives/abort.ts';
export { type Defined, defined } from './primitives/defined.ts';
export { Lazy } from './primitives/lazy.ts';
export { LruMap } from './primitives/lru.ts';
export { yieldToEventLoop } from './primitives/yield.ts';
