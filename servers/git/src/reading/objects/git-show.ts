import { openPosition, sealPosition } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { pathsArgument, repoPath, toPaths } from '../../call/arguments.ts';
import { withLink } from '../../call/resource-link.ts';
import { tool } from '../../call/workspace.ts';
import { CONTEXT_LINES } from '../../porcelain/diff.ts';
import { showBlob } from './show-blob.ts';
import { showCommit } from './show-commit.ts';
import { output } from './show-output.ts';
import { isPosition } from './show-position.ts';
import type { Asked } from './show-request.ts';
import { untag } from './show-tag.ts';
import { showTree } from './show-tree.ts';

const NAME = 'git_show';

const input = z.strictObject({
  repo_path: repoPath,
  revision: z.string().describe('or REVISION:PATH'),
  paths: pathsArgument,
  stat_only: z.boolean().optional().describe('files and counts of lines'),
  context_lines: z.int().min(0).max(10_000).optional().describe(`default ${CONTEXT_LINES}`),
  cursor: z.string().optional(),
});

export const gitShow = tool({
  name: NAME,
  title: 'Show',
  description: 'A commit with its patch against the first parent; a tag, file or folder.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const {
        revision,
        paths,
        stat_only: stat = false,
        context_lines: context = CONTEXT_LINES,
        cursor,
      } = args;
      const query = [opened.repository.identity, revision, paths ?? [], stat, context];
      const at = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isPosition);
      const found = await opened.find(at?.oid ?? revision);
      const { info, tag } = await untag(opened, found, Math.floor(maxOutput / 4));
      const asked: Asked = {
        paths: paths && toPaths(paths),
        stat,
        context,
        maxOutput,
        place: at?.place,
        seal: (place) => sealPosition(NAME, query, { oid: info.oid, place }),
      };
      const { structured, text } =
        info.type === 'commit'
          ? await showCommit(opened, info.oid, tag, asked)
          : info.type === 'tree'
            ? await showTree(opened, info.oid, tag, asked)
            : await showBlob(opened, info, tag, asked);
      const { oid, size } = info;
      const isBinary = 'binary' in structured;
      return reply({
        structured,
        content: isBinary ? withLink(text, opened, { oid, size, name: revision }, maxOutput) : text,
      });
    });
  },
});
