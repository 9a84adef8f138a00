import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, jsonText, textOf } from './files.ts';
import { type Manifest, withVersions } from './manifest.ts';
import { Problem } from './problem.ts';

const SCOPE = '@rootbound/';
const HOME = 'vendor';
const EXTENSION = '.tgz';

/**
 * Returns a project that contains Rootbound's packages, as tarballs of a folder, instead of a dependency on a registry.
 */
export function withTarballs(files: Files, folder: string): Files {
  const all = new Map(files);
  const manifest = JSON.parse(textOf(files, 'package.json')) as Manifest;
  const found = tarballsIn(folder);
  const taken: string[] = [];
  const versions = withVersions(manifest, (name, version) => {
    if (!name.startsWith(SCOPE)) return version;
    const file = found.find((one) => isOf(one, name));
    if (file === undefined) throw new Problem(`${folder} has no tarball of ${name}; npm pack makes it`);
    all.set(`${HOME}/${file}`, readFileSync(join(folder, file)));
    taken.push(`${name}@${file.slice(stemOf(name).length, -EXTENSION.length)}`);
    return `file:${HOME}/${file}`;
  });
  all.set('README.md', `${textOf(files, 'README.md')}${aboutTarballs(taken)}`);
  return all.set('package.json', jsonText(versions));
}

/** Returns the note about its tarballs for the project's README. */
function aboutTarballs(packages: readonly string[]): string {
  return `
## What \`${HOME}\` is

\`${HOME}\` holds the packages of Rootbound that this project depends on, packed in the checkout that made it, because the npm registry did not have them, or not in these versions. Once it has them, \`npm install ${packages.toSorted().join(' ')}\` takes them from there, and \`${HOME}\` can be deleted.
`;
}

function tarballsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(EXTENSION));
  } catch (cause) {
    throw new Problem(`${folder} cannot be read; --packages names a folder with tarballs`, { cause });
  }
}

/** Returns whether a tarball has npm's name for a package. */
function isOf(file: string, name: string): boolean {
  const stem = stemOf(name);
  return file.startsWith(stem) && /^\d+\.\d+\.\d+(?!\d)[\w.+-]*\.tgz$/.test(file.slice(stem.length));
}

/** Returns the prefix of a tarball's name before the version. */
function stemOf(name: string): string {
  return `${name.slice(1).replace('/', '-')}-`;
}
