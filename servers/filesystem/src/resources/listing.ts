import type { CallContext, Resource } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

/** The roots, as the resources that a client sees first. */
export function listRoots({ scope: { scope } }: CallContext<Workspace>): readonly Resource[] {
  return scope.roots.map(({ uri, name, readOnly }) => ({
    uri,
    name,
    title: name,
    description: readOnly ? 'a folder that may be read' : 'a folder that may be read and written',
    mimeType: 'inode/directory',
    annotations: { audience: ['user', 'assistant'], priority: 0.8 },
  }));
}
