export type { ServeHooks } from './serve/hooks.ts';
export { serve } from './serve/serve.ts';
