import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Versions = Record<string, string>;

/** The members of a package.json that are used; the others stay unchanged. */
export interface Manifest {
  name: string;
  version: string;
  description?: string;
  private?: boolean;
  bin?: Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Versions;
  optionalDependencies?: Versions;
  devDependencies?: Versions;
  [field: string]: unknown;
}

export const DEPENDENCY_KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const;

/** Reads the package.json of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Returns a manifest with every version mapped by a function. */
export function withVersions(
  manifest: Manifest,
  versionOf: (name: string, version: string) => string,
): Manifest {
  const changed: Manifest = { ...manifest };
  for (const kind of DEPENDENCY_KINDS) {
    const versions = manifest[kind];
    if (versions === undefined) continue;
    changed[kind] = Object.fromEntries(
      Object.entries(versions).map(([name, version]) => [name, versionOf(name, version)]),
    );
  }
  return changed;
}

/**
 * Returns the manifest of a workspace package as it is published: packages of the workspace by their present versions.
 */
export function standalone(workspace: string): Manifest {
  return withVersions(readManifest(workspace), (name, version) =>
    version.startsWith('workspace:')
      ? `^${readManifest(join(workspace, 'node_modules', name)).version}`
      : version,
  );
}
