import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Versions = Record<string, string>;

/** What is used of a package.json; the rest stays as it is. */
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

/** The package.json of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** A manifest with every version taken through a function. */
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

/** The manifest of a workspace as it is outside: packages of the same workspace by the versions that they have now. */
export function standalone(workspace: string): Manifest {
  return withVersions(readManifest(workspace), (name, version) =>
    version.startsWith('workspace:')
      ? `^${readManifest(join(workspace, 'node_modules', name)).version}`
      : version,
  );
}
