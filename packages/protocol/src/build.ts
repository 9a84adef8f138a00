export { type WrittenCatalog, writeCatalog } from './server/manifest.ts';
