import { toolsets } from './spec.ts';

/** The powers that the options give to the server. */
export interface Powers {
  readonly readOnly: boolean;
  readonly offers: (tool: string) => boolean;
}

/** Returns the instructions for a model: how to begin, and which behaviour is unusual. */
export function instructionsFor({ offers, readOnly }: Powers): string {
  const writes = !readOnly && offers('git_commit');
  const sentences = [
    writes
      ? 'Reads and changes git repositories below the roots.'
      : 'Reads git repositories below the roots.',
  ];
  if (offers('git_overview'))
    sentences.push('Begin with git_overview: branch, changes and the operation in progress, in one call.');
  sentences.push(
    'repo_path may be left out where the roots hold one repository.',
    'Revisions take every form of git; paths are relative to the top of the repository.',
    'A name in double quotes is quoted as git does it (it is not UTF-8, or holds control characters): pass it back as it is.',
    ...(writes
      ? [
          'Changes report HEAD before and after, and the call that undoes them; the user is asked before data is lost for good.',
        ]
      : []),
    'A result over the size limit is truncated and has a next_cursor: pass it as cursor.',
    `Programs that a repository configures (hooks, filters, external diffs, signing) do not run unless the operator trusts it${!readOnly && offers('git_trust') ? ', or the user does through git_trust' : ''}.`,
  );
  const off = Object.entries(toolsets)
    .filter(([set]) => !readOnly || set === 'read' || set === 'browse')
    .flatMap(([, tools]) => tools.filter((tool) => !offers(tool)));
  if (off.length > 0)
    sentences.push(`Off until the operator adds them, as by --tools default,${off[0]}: ${off.join(', ')}.`);
  return sentences.join(' ');
}
