// the home directory of the pictures: a folder of code, and an npx that starts the builds of this checkout
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The files of the folder of code: a repository with a hook; some files are changed afterwards. */
const FILES = {
  'README.md': '# Kettle\n\nBoils water.\n',
  'src/boil.js':
    'export function boil(kettle) {\n  // TODO: stop at 100 degrees\n  return kettle.heat();\n}\n',
  'src/main.js': "import { boil } from './boil.js';\n\nboil(kettle);\n",
  'package.json': '{ "type": "module" }\n',
  'sales.csv': 'item,cents,sold\nkettle,3900,12\nteapot,2450,7\nwhisk,890,31\n',
};
const HOOK = '#!/bin/sh\necho whoever cloned this runs it\n';
const PAGE = `<!doctype html><html lang="en"><head><title>On kettles</title></head><body>
<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
<article><h1>On kettles</h1>
<p>Five kettles boiled a litre of water each, ten times, in the same kitchen and on the same day.</p>
<table><tr><th>kettle</th><th>time</th></tr><tr><td>copper</td><td>4:10</td></tr><tr><td>steel</td><td>4:40</td></tr></table>
</article><footer>All rights reserved</footer></body></html>`;
const NPX = `[ "$1" = -y ] && shift
name=\${1#@rootbound/}; shift
case $name in
  server-*) exec node "${root}/servers/\${name#server-}/dist/cli.js" "$@";;
  *) exec node "${root}/packages/$name/dist/cli.js" "$@";;
esac`;

/** The home directory of a picture, removed at the end. */
export class Home {
  #base = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-pictures-')));
  home = join(this.#base, 'you');
  code = join(this.home, 'code');
  #site = createServer((request, response) => {
    const found = request.url === '/kettles.html';
    response
      .writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
      .end(found ? PAGE : '');
  });

  /** Creates the files and the page of the scenes. */
  async prepare() {
    mkdirSync(join(this.code, 'src'), { recursive: true });
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(this.code, name), text);
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', args, { cwd: this.code, env: this.environment, stdio: 'ignore' });
    git('init', '-b', 'main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.com');
    writeFileSync(join(this.code, '.git', 'info', 'exclude'), 'server.js\nnode_modules\nshop.db*\n');
    git('add', '.');
    git('commit', '-m', 'Boil water');
    writeFileSync(join(this.code, '.git', 'hooks', 'pre-commit'), HOOK);
    chmodSync(join(this.code, '.git', 'hooks', 'pre-commit'), 0o755);
    writeFileSync(join(this.code, 'src', 'boil.js'), FILES['src/boil.js'].replace('TODO: stop', 'stops'));
    this.#program();
    await /** @type {Promise<void>} */ (new Promise((resolve) => this.#site.listen(0, '127.0.0.1', resolve)));
    return this;
  }

  /** @returns {NodeJS.ProcessEnv} */
  get environment() {
    const { NODE_PATH: _path, NODE_OPTIONS: _options, VITEST: _vitest, ...inherited } = process.env;
    return {
      ...inherited,
      HOME: this.home,
      GIT_CONFIG_GLOBAL: '/dev/null',
      TERM: 'xterm-256color',
      PATH: [join(this.#base, 'bin'), process.env.PATH].join(delimiter),
    };
  }

  /**
   * Returns real paths and addresses with their names in a picture.
   * @returns {[string, string][]}
   */
  get names() {
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#site.address());
    return [
      [this.home, '~'],
      [`localhost:${port}`, 'localhost:8000'],
    ];
  }

  /** Returns a command of a picture with the real addresses. @param {string} line */
  here(line) {
    return this.names.slice(1).reduce((words, [real, name]) => words.replaceAll(name, real), line);
  }

  remove() {
    this.#site.close();
    rmSync(this.#base, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Writes the program of a package's README, with links to its imports, and the npx. */
  #program() {
    const readme = readFileSync(join(root, 'packages', 'protocol', 'README.md'), 'utf8');
    const [, program = ''] = /^```js file=server\.js\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    writeFileSync(join(this.code, 'server.js'), program);
    mkdirSync(join(this.code, 'node_modules', '@rootbound'), { recursive: true });
    const protocol = join(root, 'packages', 'protocol');
    symlinkSync(protocol, join(this.code, 'node_modules', '@rootbound', 'protocol'), 'junction');
    symlinkSync(join(protocol, 'node_modules', 'zod'), join(this.code, 'node_modules', 'zod'), 'junction');
    const bin = join(this.#base, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\n${NPX}\n`);
    chmodSync(join(bin, 'npx'), 0o755);
  }
}
