import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, jsonText, textOf } from './files.ts';
import { type Manifest, withVersions } from './manifest.ts';
import { Problem } from './problem.ts';

const SCOPE = '@rootbound/';
const HOME = 'vendor';

/** A project that brings Rootbound's packages with it, as tarballs of a folder, instead of asking a registry for them. */
export function withTarballs(files: Files, folder: string): Files {
  const all = new Map(files);
  const manifest = JSON.parse(textOf(files, 'package.json')) as Manifest;
  const found = tarballsIn(folder);
  const versions = withVersions(manifest, (name, version) => {
    if (!name.startsWith(SCOPE)) return version;
    const file = found.find((one) => isOf(one, name));
    if (file === undefined) throw new Problem(`${folder} has no tarball of ${name}; npm pack makes it`);
    all.set(`${HOME}/${file}`, readFileSync(join(folder, file)));
    return `file:${HOME}/${file}`;
  });
  return all.set('package.json', jsonText(versions));
}

function tarballsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  } catch (cause) {
    throw new Problem(`${folder} cannot be read; --packages names a folder with tarballs`, { cause });
  }
}

/** Whether a tarball is named as npm names those of a package. */
function isOf(file: string, name: string): boolean {
  const stem = name.slice(1).replace('/', '-');
  return file.startsWith(`${stem}-`) && /^\d+\.\d+\.\d+[\w.+-]*\.tgz$/.test(file.slice(stem.length + 1));
}
