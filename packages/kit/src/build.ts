export { buildServer, type ServerBuild } from './build/server.ts';
