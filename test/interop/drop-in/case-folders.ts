import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of each case; a path that ends in a slash is a folder, an arrow a link. */
const content: Readonly<Record<string, string | Buffer>> = {
  'lines.txt': 'one\ntwo\nthree\nfour\nfive\n',
  'open.txt': 'one\ntwo\nthree',
  'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
  'mixed.txt': 'one\r\ntwo\nthree\r\n',
  'empty.txt': '',
  'blank.txt': '\n\n\n',
  'long.txt': `${'x'.repeat(5000)}\nend\n`,
  'wide.txt': 'größer\n日本語\n🙂 end\n',
  'bom.txt': '\ufeffone\ntwo\n',
  'latin1.txt': Buffer.from('caf\xe9\nend\n', 'latin1'),
  'utf16.txt': Buffer.from('\ufeffone\ntwo\n', 'utf16le'),
  'tabs.py': 'if x:\n    a()\n    b()\nif y:\n    a()\n',
  'twice.txt': 'same\nother\nsame\n',
  'picture.png': Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
  'sound.wav': Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1'),
  'data.bin': Buffer.from([0, 1, 2, 255]),
  'no extension': 'plain words\n',
  'fake.png': 'plain words\n',
  '.hidden': 'hidden\n',
  'kilo.dat': 'k'.repeat(2048),
  'sub/inner.txt': 'inner\n',
  'sub/deep/deeper.md': '# deep\n',
  'sub/node_modules/pack/index.js': 'x\n',
  'sub/[odd] name.txt': 'odd\n',
  'café/menu.txt': 'menu\n',
  'nothing/': '',
};

const links: Readonly<Record<string, string>> = {
  'to-file': 'lines.txt',
  'to-folder': 'sub',
  'to-none': 'not-there',
};

/** The files of the cases that change files. */
const small = [
  'lines.txt',
  'open.txt',
  'crlf.txt',
  'mixed.txt',
  'latin1.txt',
  'bom.txt',
  'tabs.py',
  'twice.txt',
  'empty.txt',
  'sub/inner.txt',
  'café/menu.txt',
  'nothing/',
];

/** The folders of one side: `root` to serve, `outside` beside it, and one folder for each case. */
export class Place {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly #known = new Set<string>();

  constructor() {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-drop-in-')));
    this.root = join(this.base, 'root');
    this.outside = join(this.base, 'outside');
    mkdirSync(this.root);
    mkdirSync(`${this.root}-sibling`);
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, 'secret.txt'), 'the secret\n');
    writeFileSync(`${this.root}-sibling/secret.txt`, 'the secret\n');
  }

  /** Returns the folder of a case, created at its first use. */
  folder(name: string, all: boolean): string {
    const folder = join(this.root, name);
    if (this.#known.has(name)) return folder;
    this.#known.add(name);
    mkdirSync(folder);
    for (const [path, bytes] of Object.entries(content)) {
      if (!all && !small.includes(path)) continue;
      mkdirSync(join(folder, path, path.endsWith('/') ? '.' : '..'), { recursive: true });
      if (path.endsWith('/')) continue;
      writeFileSync(join(folder, path), bytes);
    }
    for (const [link, target] of Object.entries(links)) symlinkSync(target, join(folder, link));
    symlinkSync(join(this.outside, 'secret.txt'), join(folder, 'exit-file'));
    symlinkSync(this.outside, join(folder, 'exit-folder'));
    age(folder);
    return folder;
  }

  /** Lists everything below the folder of a case, and beside the root. */
  disk(name: string): Record<string, string> {
    return { ...seen(join(this.root, name)), ...seen(this.outside, 'outside/') };
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Sets the same time for a folder and its contents, so that both sides report equal times. */
function age(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) age(path);
    else if (entry.isFile()) utimesSync(path, 1_700_000_000, 1_700_000_000);
  }
  utimesSync(folder, 1_700_000_000, 1_700_000_000);
}

function seen(folder: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = prefix + entry.name;
    if (entry.isSymbolicLink()) found[name] = `-> ${readlinkSync(path).replace(/^.*(?=outside)/, '')}`;
    else if (entry.isDirectory()) Object.assign(found, { [`${name}/`]: '' }, seen(path, `${name}/`));
    else
      found[name] = `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path).toString('latin1')}`;
  }
  return found;
}
