import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, jsonText, textOf } from './files.ts';
import { type Manifest, withVersions } from './manifest.ts';
import { Problem } from './problem.ts';

const SCOPE = '@rootbound/';
const HOME = 'vendor';
const EXTENSION = '.tgz';

/** A project that brings Rootbound's packages with it, as tarballs of a folder, instead of asking a registry for them. */
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

/** What a reader of the project is told of its tarballs. */
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

/** Whether a tarball is named as npm names those of a package. */
function isOf(file: string, name: string): boolean {
  const stem = stemOf(name);
  return file.startsWith(stem) && /^\d+\.\d+\.\d+(?!\d)[\w.+-]*\.tgz$/.test(file.slice(stem.length));
}

/** What stands before the version in the name of a tarball. */
function stemOf(name: string): string {
  return `${name.slice(1).replace('/', '-')}-`;
}
