import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import {
  type Branch,
  parseStatus,
  type Status,
  type StatusOptions,
  statusCommand,
} from '../../porcelain/status.ts';
import { branchOf, refOfHead } from '../../repository/head.ts';
import { withSubmodules } from './submodule-status.ts';

export interface StatusWithNotice extends Status {
  /** the reason for which git ignored settings of submodules */
  readonly problem: string | undefined;
}

/** Reads a status; where git dies of .gitmodules or a setting of submodules, reads it again without them. */
export async function readStatus(opened: Opened, options: StatusOptions = {}): Promise<StatusWithNotice> {
  try {
    const { stdout } = await opened.run(statusCommand(options));
    return { ...(await whole(opened, stdout, options)), problem: undefined };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'timeout') throw error;
    // git looks up no setting of submodules that it is given; it dies again of any other fault
    const { stdout } = await opened.run(statusCommand({ ...options, heedless: true }));
    return {
      ...(await whole(opened, stdout, options)),
      problem: `settings for submodules are not heeded: ${error.message}`,
    };
  }
}

async function whole(opened: Opened, stdout: Buffer, options: StatusOptions): Promise<Status> {
  const { branch, ...status } = parseStatus(stdout);
  return {
    ...status,
    branch: { ...branch, head: headIn(opened, branch) },
    entries: await withSubmodules(opened, status.entries, options),
  };
}

/** Returns the branch of HEAD; git prints no name of a ref that is no branch. */
function headIn({ repository }: Opened, { head }: Branch): string | undefined {
  if (head !== '(null)') return head;
  const ref = refOfHead(repository);
  return ref === undefined ? head : branchOf(ref);
}
