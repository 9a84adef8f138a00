import { pageOf } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply, ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { submoduleLine, submodulesIn } from '../state/submodules.ts';
import type { ListArguments } from './list-schema.ts';

export async function listSubmodules(
  opened: Opened,
  { cursor }: ListArguments,
  maxOutput: number,
): Promise<Reply> {
  if (opened.audit.facts.bare) throw noWorkTree();
  const { submodules: items, problem } = await submodulesIn(opened);
  const query = ['submodules', opened.repository.identity];
  const words = ['submodule', 'submodules'] as const;
  return reply(
    pageOf(
      { tool: 'git_list', query, cursor, items, keyOf: ({ path }) => path, words, maxOutput },
      (listed, rest) => ({ submodules: [...listed], ...defined({ problem }), ...rest }),
      ({ submodules }) => [
        ...(submodules.length === 0 ? ['no submodules'] : submodules.map(submoduleLine)),
        ...(problem === undefined ? [] : [problem]),
      ],
    ),
  );
}

function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree with submodules in it', {
    code: 'unsupported',
    hint: 'git_list_files with a revision lists the recorded commits',
  });
}
