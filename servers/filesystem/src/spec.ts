import { Boundary } from '@rootbound/kit/boundary';
import type { ServerSpec } from '@rootbound/kit/cli';
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
  'search_files',
  'search_content',
  'get_file_info',
  'list_allowed_directories',
] as const;

export const spec = {
  name: 'filesystem',
  package: '@rootbound/server-filesystem',
  version,
  summary: 'Serves files below the given roots over the Model Context Protocol.',
  tools: toolNames,
  rootKinds: 'directories',
  checks() {
    const { containment } = new Boundary({ roots: [], policy: 'ignore' });
    if (containment === 'kernel')
      return [{ state: 'ok', what: 'containment kernel: every handle is verified' }];
    return [
      {
        state: 'warn',
        what: 'containment best-effort: this system cannot say where a handle is',
        fix: 'let nobody else change links below the roots, or use Linux with /proc',
      },
    ];
  },
} as const satisfies ServerSpec;
