import { afterAll } from 'vitest';
import { removeScratch } from './scratch.ts';
import { endShared } from './writing/over.ts';

// the files of one worker share their modules, and this one runs for each of them
afterAll(async () => {
  await endShared();
  removeScratch();
});
