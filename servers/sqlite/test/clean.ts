import { afterAll } from 'vitest';
import { removeScratch } from './scratch.ts';
import { endShared } from './writing/over.ts';

// the test files of a worker share modules, but this one runs for each of them
afterAll(async () => {
  await endShared();
  removeScratch();
});
