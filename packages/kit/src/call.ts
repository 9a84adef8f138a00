export { agree, canAsk } from './call/consent.ts';
export { Scopes } from './call/scopes.ts';
