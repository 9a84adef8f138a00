import { join } from 'node:path';
import { readSmall, showPath } from '@rootbound/kit/boundary';
import { type Block, quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { isNotFound } from '../../repository/refusals.ts';
import { findingText } from '../trust/question.ts';

const WORDS = 2_000;
const MOST_BYTES = 1 << 20;

/**
 * Returns the prompt that lists what a trusted repository may run, with its hooks; values of settings may be secrets,
 * and are left out.
 */
export function reviewTrust(
  args: Readonly<Record<string, string>>,
  { scope: { scope, repositories, maxOutput }, signal }: CallContext<Workspace, unknown>,
): Promise<string> {
  const { repo_path } = readArguments(args, ['repo_path']);
  return repositories.use(scope, repo_path, signal, async (opened) => {
    const { suppressed } = opened.audit;
    const place = showPath(opened.displayPath);
    if (suppressed.length === 0) return `${place} configures no programs. Say so: no trust is needed.`;
    const list = { title: 'what it sets up', text: suppressed.map(findingText).join('\n') };
    return [
      `Say what would happen if ${place} were trusted: its hooks would run, and its filters, merge drivers, signing and network settings would be obeyed.`,
      'Explain what each hook does, what it starts, reads, changes or sends, and anything that is hidden in it. Of settings only the names are given here: tell the user to look at their values in the configuration of the repository. Then advise for or against trust; the decision is theirs, and git_trust asks them for it.',
      quoted('the repository', [list, ...hooksOf(opened)], maxOutput - WORDS),
    ].join('\n');
  });
}

function hooksOf({
  audit: {
    suppressed,
    hooks: { folder },
  },
  repository: { reach },
}: Opened): Block[] {
  if (folder === undefined) return [];
  return suppressed
    .filter(
      ({ key, what, submodule }) => what === 'hook' && key.startsWith('hooks/') && submodule === undefined,
    )
    .flatMap(({ key }) => {
      try {
        const bytes = readSmall(reach, join(folder, key.slice('hooks/'.length)), MOST_BYTES)?.bytes;
        return bytes === undefined ? [] : [{ title: key, text: bytes.toString() }];
      } catch (error) {
        // it vanished after the audit
        if (isNotFound(error)) return [];
        throw error;
      }
    });
}
