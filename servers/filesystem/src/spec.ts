import { DENY_OPTIONS, type Extras, type OptionRow, type ServerSpec } from '@rootbound/kit/cli';
import manifest from '../package.json' with { type: 'json' };

/** The version of the package. */
export const { version } = manifest;

/** The tools in the order in which they are listed; a test holds it to the catalog. */
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

/** The official server's names that are called and not listed; each is there where the tool behind it is. */
export const formerNames: Readonly<Record<string, string>> = {
  read_file: 'read_text_file',
  list_directory_with_sizes: 'list_directory',
};

const options = [
  { name: 'allow-delete', kind: 'flag', help: 'offer delete_file' },
  { name: 'trash', kind: 'flag', help: "offer delete_file, which moves to the platform's trash instead" },
  {
    name: 'confirm',
    kind: 'choice',
    value: '<what>',
    choices: ['never', 'delete', 'overwrite'],
    help: 'what the client is asked to confirm where it can ask: never anything, delete (default), or overwrite too',
  },
  { name: 'fsync', kind: 'flag', help: 'answer a change only when it is on the disk' },
  {
    name: 'hard-links',
    kind: 'choice',
    value: '<policy>',
    choices: ['break', 'refuse'],
    help: 'a file with other hard links: a change breaks the link (default), or refuse to read or change it',
  },
  ...DENY_OPTIONS,
] as const satisfies readonly OptionRow[];

/** The values of this server's own options. */
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
