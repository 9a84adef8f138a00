export { type MemoryEnd, serveMemory } from './transports/memory.ts';
