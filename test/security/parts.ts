export { serveMemory } from '@rootbound/protocol/testing';
export { createFilesystem } from '../../servers/filesystem/src/server.ts';
export { toolNames } from '../../servers/filesystem/src/spec.ts';
