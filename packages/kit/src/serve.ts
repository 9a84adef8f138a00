export {
  type CallFacts,
  type Closable,
  type DefinedServer,
  type DefineOptions,
  type Definition,
  defineServer,
  type FormerNames,
  type ServerParts,
} from './serve/define.ts';
export type { ServeHooks } from './serve/hooks.ts';
export { serve } from './serve/serve.ts';
