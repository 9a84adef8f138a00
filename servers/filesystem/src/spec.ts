import { DENY_OPTIONS, type Extras, type OptionRow, type ServerSpec } from '@rootbound/kit/cli';
import manifest from '../package.json' with { type: 'json' };

/** The version of the package. */
export const { version } = manifest;

/** The tools in the order in which they are listed; a test compares them with the catalog. */
export const toolNames = [
  'read_text_file',
  'read_media_file',
  'read_multiple_files',
  'write_file',
  'edit_file',
  'create_directory',
  'list_directory',
  'directory_tree',
  'move_file',
  'copy_file',
  'delete_file',
  'set_file_attributes',
  'search_files',
  'search_content',
  'get_file_info',
  'list_allowed_directories',
] as const;

/** Tool names of the official server that can be called and are not listed, with the tools that replace them. */
export const formerNames: Readonly<Record<string, string>> = {
  read_file: 'read_text_file',
  list_directory_with_sizes: 'list_directory',
};

const options = [
  { name: 'allow-delete', kind: 'flag', help: 'offer delete_file' },
  { name: 'trash', kind: 'flag', help: "offer delete_file, which moves to the platform's trash" },
  {
    name: 'confirm',
    kind: 'choice',
    value: '<what>',
    choices: ['never', 'delete', 'overwrite'],
    help: 'which changes the user confirms, if the client can ask: never, delete (default), or overwrite as well',
  },
  { name: 'fsync', kind: 'flag', help: 'answer only after a change has been written to disk' },
  {
    name: 'hard-links',
    kind: 'choice',
    value: '<policy>',
    choices: ['break', 'refuse'],
    help: 'files with other hard links: break the link on a change (default), or refuse to read or change them',
  },
  ...DENY_OPTIONS,
] as const satisfies readonly OptionRow[];

/** The values of the options that only this server has. */
export type FilesystemExtras = Extras<typeof options>;

export const spec = {
  name: 'filesystem',
  package: '@rootbound/server-filesystem',
  version,
  summary: 'Serves files below the given roots over the Model Context Protocol.',
  tools: toolNames,
  rootKinds: 'directories',
  options,
  checks: async () => (await import('./machine.ts')).checkMachine(),
} as const satisfies ServerSpec<typeof options>;
