import { commonDirRows, objectRows, workTreeRows } from './common-dir-rows.ts';
import { gitDirRows } from './git-dir-rows.ts';
import type { FileRow } from './row.ts';

/** Each kind of file that git and its children open or look for; a test with `strace` finds none beside them. */
export const fileRows: readonly FileRow[] = [...gitDirRows, ...commonDirRows, ...objectRows, ...workTreeRows];
