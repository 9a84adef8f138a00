import { readTextFile } from './read-text-file.ts';

/** `read_text_file` under the official server's former name for it. */
export const readFile: typeof readTextFile = { ...readTextFile, name: 'read_file', listed: false };
