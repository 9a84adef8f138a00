export type { ServerBuild } from './build/options.ts';
export { buildServer } from './build/server.ts';
