import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerBuild } from './options.ts';

interface Package {
  name: string;
  version: string;
  license?: string;
}

const licenceFile = /^(licen[cs]e|copying|notice)/i;

type Licences = Pick<ServerBuild, 'root' | 'licences'>;

/** Returns the licence texts of every package in the bundle, by name. */
export async function noticesOf(moduleIds: readonly string[], licences: Licences): Promise<string> {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== undefined));
  const notices = await Promise.all([...folders].map((folder) => noticeOf(folder, licences)));
  return `${notices.sort().join('\n')}\n`;
}

/** Returns the folder of the package in node_modules to which a module belongs. */
function packageFolder(id: string): string | undefined {
  const path = id.replace(/^\0/, '');
  const at = path.lastIndexOf('/node_modules/');
  if (at < 0) return undefined;
  const [scope, name] = path.slice(at + '/node_modules/'.length).split('/');
  return join(path.slice(0, at), 'node_modules', scope!, scope!.startsWith('@') ? name! : '');
}

async function noticeOf(folder: string, { root, licences = {} }: Licences): Promise<string> {
  const {
    name,
    version,
    license = 'see below',
  } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Package;
  const own = await licenceFiles(folder);
  const given = licences[name];
  const files = given === undefined ? own : [...own, join(root, given)];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  if (texts.length === 0)
    throw new Error(`${name} has no licence file beside ${join(dirname(folder), name)}`);
  return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}

/** Returns the licences of a package, each a file or a folder of files. */
async function licenceFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries
    .filter(({ name }) => licenceFile.test(name))
    .map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? (await readdir(path)).sort().map((name) => join(path, name)) : [path];
    });
  return (await Promise.all(found)).flat();
}
