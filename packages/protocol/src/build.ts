export { writeCatalog } from './server/manifest.ts';
