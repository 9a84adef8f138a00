import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface Package {
  name: string;
  version: string;
  license?: string;
}

const licenceFile = /^(licen[cs]e|copying|notice)/i;

/** The licence texts of every package that modules were bundled from, by name. */
export async function noticesOf(moduleIds: readonly string[]): Promise<string> {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== undefined));
  const notices = await Promise.all([...folders].map(noticeOf));
  return `${notices.sort().join('\n')}\n`;
}

/** The folder of the package in node_modules that a module belongs to. */
function packageFolder(id: string): string | undefined {
  const path = id.replace(/^\0/, '');
  const at = path.lastIndexOf('/node_modules/');
  if (at < 0) return undefined;
  const [scope, name] = path.slice(at + '/node_modules/'.length).split('/');
  return join(path.slice(0, at), 'node_modules', scope!, scope!.startsWith('@') ? name! : '');
}

async function noticeOf(folder: string): Promise<string> {
  const {
    name,
    version,
    license = 'see below',
  } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Package;
  const files = (await readdir(folder)).filter((file) => licenceFile.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0)
    throw new Error(`${name} has no licence file beside ${join(dirname(folder), name)}`);
  return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}
