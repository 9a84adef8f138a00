export { agree, canAsk } from './call/consent.ts';
export { guarded } from './call/guarded.ts';
export { Scopes } from './call/scopes.ts';
export { type Together, together } from './call/together.ts';
