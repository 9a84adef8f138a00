import { readTextFile } from './read-text-file.ts';

/** `read_text_file` under the former name of the official server's tool. */
export const readFile: typeof readTextFile = { ...readTextFile, name: 'read_file', listed: false };
