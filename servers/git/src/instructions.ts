/** The powers that the options give to the server. */
export interface Powers {
  readonly readOnly: boolean;
  readonly offers: (tool: string) => boolean;
}

/** Returns the instructions for a model: how to begin, and which behaviour is unusual. */
export function instructionsFor({ offers, readOnly }: Powers): string {
  const writes = !readOnly && offers('git_commit');
  const said = [
    writes
      ? 'Reads and changes git repositories below the roots.'
      : 'Reads git repositories below the roots.',
  ];
  if (offers('git_overview'))
    said.push('Begin with git_overview: branch, changes and what is in progress, in one call.');
  said.push(
    'repo_path may be left out where there is one repository.',
    'Revisions may be anything that git takes; paths are relative to the top of the repository.',
    'A name in double quotes is quoted as git does it (it is not UTF-8, or holds control characters): pass it back as it is.',
    ...(writes
      ? [
          'Changes say where HEAD was and is, and in undo how to take them back; what would be lost for good is asked first.',
        ]
      : []),
    'Results over the size limit say truncated and give a next_cursor: pass it back as cursor.',
    `What a repository configures to run (hooks, filters, external diffs, signing) does not run unless the operator trusts it${!readOnly && offers('git_trust') ? ', or git_trust has the user agree' : ''}.`,
  );
  return said.join(' ');
}
