import { afterAll } from 'vitest';
import { removeScratch } from './scratch.ts';

// the files of one worker share their modules, and this one runs for each of them
afterAll(removeScratch);
