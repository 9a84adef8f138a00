import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../opened.ts';
import { parseStatus, type Status, type StatusOptions, statusCommand } from '../porcelain/status.ts';
import { withSubmodules } from './submodule-status.ts';

export interface ToldStatus extends Status {
  /** why git did not heed what is set for submodules */
  readonly problem: string | undefined;
}

/** A status; where git dies of .gitmodules or a setting for submodules, the same without heeding them. */
export async function readStatus(opened: Opened, options: StatusOptions = {}): Promise<ToldStatus> {
  try {
    const { stdout } = await opened.run(statusCommand(options));
    return { ...(await whole(opened, stdout, options)), problem: undefined };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'timeout') throw error;
    // what git is told of submodules outright it looks up nowhere; what else is wrong it dies of again
    const { stdout } = await opened.run(statusCommand({ ...options, heedless: true }));
    return {
      ...(await whole(opened, stdout, options)),
      problem: `settings for submodules are not heeded: ${error.message}`,
    };
  }
}

async function whole(opened: Opened, stdout: Buffer, options: StatusOptions): Promise<Status> {
  const status = parseStatus(stdout);
  return { ...status, entries: await withSubmodules(opened, status.entries, options) };
}
