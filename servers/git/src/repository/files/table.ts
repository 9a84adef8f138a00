import { commonDirRows, objectRows, workTreeRows } from './common-dir-rows.ts';
import { gitDirRows } from './git-dir-rows.ts';
import type { FileRow } from './row.ts';

/** Each kind of file that git and its children open or look up; a test with `strace` finds no others. */
export const fileRows: readonly FileRow[] = [...gitDirRows, ...commonDirRows, ...objectRows, ...workTreeRows];
