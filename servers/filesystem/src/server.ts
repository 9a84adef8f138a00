import { type DefinedServer, type DefineOptions, defineServer } from '@rootbound/kit/serve';
import { template } from '@rootbound/protocol';
import { catalog } from './catalog.ts';
import { instructionsFor } from './instructions.ts';
import { policyOf } from './policy.ts';
import { promptsFor } from './prompts.ts';
import { type FilesystemExtras, version } from './spec.ts';
import type { Workspace } from './workspace.ts';

/** The options of the command line that make a server, and those of tests. */
export type FilesystemOptions = DefineOptions<FilesystemExtras>;

/** Creates the filesystem server for these options. */
export function createFilesystem(options: FilesystemOptions): DefinedServer<Workspace> {
  const { readOnly, extra = {} } = options;
  const { denied, changes, offers } = policyOf(options, extra);
  return defineServer<Workspace>(options, ({ boundary, lazily, lookAtRoots, resourcesChanged, onError }) => {
    const watching = lazily(async () => {
      const { LiveResources } = await import('./resources/live.ts');
      const missingRoots = (): readonly string[] => boundary.missingRoots();
      return new LiveResources({ missingRoots, lookAtRoots, changed: resourcesChanged, onError });
    });
    return {
      name: 'rootbound-filesystem',
      title: 'Rootbound filesystem',
      version,
      description: 'Files below the roots, bounded by verified handles',
      instructions: instructionsFor({ readOnly, offers, trash: changes.trash, denied }),
      tools: catalog,
      offers,
      prompts: promptsFor(offers),
      resources: [fileTemplate],
      listResources: async (context) => (await watching.load()).list(context),
      watch: async (uri, context, changed) => (await watching.load()).watch(uri, context, changed),
      watching,
      workspace: ({ scope, maxOutput, owner }) => ({ scope, maxOutput, changes, owner }),
      // a killed process may have left temporary files
      afterStart: async () => (await import('./leftovers.ts')).sweepStaging(boundary.operatorScope()),
    };
  });
}

const fileTemplate = template<Workspace>({
  uriTemplate: 'file:///{+path}',
  name: 'file',
  title: 'File or directory',
  description: 'The content of a file below the roots, or the entries of a directory',
  complete: {
    path: async (value, context) =>
      (await import('./resources/completing.ts')).completeUriPath(value, context),
  },
  read: async (uri, context) => (await import('./resources/reading.ts')).readFileUri(uri, context),
});
