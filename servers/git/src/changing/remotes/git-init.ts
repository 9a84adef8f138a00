import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { readHead } from '../../call/head.ts';
import { onlyRoot } from '../../call/repositories.ts';
import { tool } from '../../call/workspace.ts';
import { command } from '../../run/command.ts';
import { run } from '../../run/run.ts';
import { noTemplate } from '../../run/settings.ts';
import { branchName } from '../safety/refs.ts';
import { beginningAt } from './new-repository.ts';

export const gitInit = tool({
  name: 'git_init',
  title: 'Begin repository',
  description: 'Creates an empty repository in a folder, which may be new. No templates, so no hooks.',
  input: z.strictObject({
    repo_path: z.string().optional().describe('default the root'),
    branch_name: z.string().optional().describe('the first branch'),
    bare: z.boolean().optional(),
    object_format: z.enum(['sha1', 'sha256']).optional(),
  }),
  output: z.object({
    repository: z.string(),
    branch: z.string().optional(),
    bare: z.boolean(),
    object_format: z.string(),
    inside_of: z.string().optional().describe('a repository that does not hold this one'),
  }),
  annotations: { destructiveHint: false, openWorldHint: false },
  async run(args, { scope: { scope, repositories }, signal }) {
    const { bare = false, object_format, branch_name } = args;
    const path = args.repo_path ?? onlyRoot(scope);
    const initial = branch_name === undefined ? undefined : branchName(branch_name);
    const { folder, parent } = await beginningAt(repositories, scope, path, bare);
    const asked = command('init', {
      flags: [
        '--quiet',
        ...(bare ? (['--bare'] as const) : []),
        ...(object_format === undefined ? [] : [`--object-format=${object_format}` as const]),
      ],
      options: { '--initial-branch': initial },
      paths: [folder],
    });
    await run(repositories.gitFor(scope), asked, { config: [noTemplate], signal });
    return repositories.use(scope, path, signal, async ({ displayPath, repository, audit }) => {
      const { workTree, gitDir } = repository.place;
      if ((workTree ?? gitDir) !== folder) throw elsewhere();
      const { branch } = readHead(repository);
      return {
        repository: displayPath,
        ...defined({ branch }),
        bare: workTree === undefined,
        object_format: audit.facts.objectFormat,
        ...(parent !== undefined && { inside_of: parent.place.workTree ?? parent.place.gitDir }),
      };
    });
  },
  render({ repository, branch, bare, inside_of: around }) {
    const kind = bare ? 'bare repository' : 'repository';
    const warning =
      around === undefined ? '' : `\nit lies in ${around}, which sees it as one untracked folder`;
    return `made a ${kind} in ${repository}, on ${branch ?? 'no branch'}${warning}`;
  },
});

function elsewhere(): ToolError {
  return new ToolError('git reported success, but the repository is elsewhere', {
    code: 'changed',
    hint: 'the folder may have been replaced during the call',
  });
}
