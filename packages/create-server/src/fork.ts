import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Files, jsonText, readFiles, replaced, textOf } from './files.ts';
import { readmeOfFork } from './fork-readme.ts';
import { type Manifest, readManifest, standalone } from './manifest.ts';
import { bareName } from './names.ts';
import { Problem } from './problem.ts';
import type { Wish } from './template.ts';

/** Files of the template that every project can use. */
const SHARED = ['.gitignore', '.github/workflows/ci.yml'];
/** Development dependencies that the workspace gives to its servers. */
const TOOLS = ['@types/node', 'typescript', 'vitest'];
/** Files that name the places where Rootbound itself is published. */
const LEFT = ['Dockerfile', 'server.json'];
/** Files in which a server names itself. */
const NAMING = /\.(?:ts|mjs|md)$/;
/** The module by which tests know whether to take a part of their cases or all. */
const EXTENT = 'test/extent.ts';
/** Files that vitest runs before those of a server's tests, by its option. */
const TEST_SETUP = { globalSetup: 'test/lane-build.ts', setupFiles: 'test/clean.ts' };

/** Returns the files of a server of a checkout as a package of its own, under another name. */
export function filesOfFork(checkout: string, server: string, template: Files, wish: Wish): Files {
  const workspace = workspaceOf(checkout, server);
  const files = readFiles(workspace);
  for (const path of LEFT) files.delete(path);
  bringExtent(checkout, files);
  leaveTests(files);
  for (const [path, content] of files) {
    if (NAMING.test(path) && typeof content === 'string')
      files.set(path, renamed(content, server, wish.name));
  }
  const short = shortName(wish.name);
  const own = (path: string, what: string): void =>
    void files.set(path, replaced(textOf(files, path), `name: '${what}'`, `name: '${short}'`));
  own('src/spec.ts', server);
  own('src/server.ts', `rootbound-${server}`);
  files.set('src/server.ts', textOf(files, 'src/server.ts').replace(/title: '[^']*'/, `title: '${short}'`));
  const manifest = manifestOf(checkout, workspace, wish);
  files.set('package.json', jsonText(manifest));
  files.set('README.md', readmeOfFork(files, server, readManifest(workspace), manifest));
  files.set('tsconfig.json', jsonText(compilerOf(checkout)));
  files.set('vitest.config.ts', testsOf(files));
  for (const path of SHARED) files.set(path, textOf(template, path));
  return files;
}

/** Adds the module that says how far tests go, which those of all packages share. */
function bringExtent(checkout: string, files: Map<string, string | Uint8Array>): void {
  files.set(EXTENT, readFileSync(join(checkout, EXTENT), 'utf8'));
  for (const [path, content] of files) {
    if (!path.startsWith('test/') || typeof content !== 'string') continue;
    const own = posix.relative(posix.dirname(path), EXTENT);
    const target = own.startsWith('.') ? own : `./${own}`;
    files.set(
      path,
      content.replaceAll(/'(?:\.\.\/)+test\/extent\.ts'/g, () => `'${target}'`),
    );
  }
}

/** Removes the tests that need a module of the workspace, by their own imports or by those of another test. */
function leaveTests(files: Map<string, string | Uint8Array>): void {
  const isLeft = ([path, content]: [string, string | Uint8Array]): boolean =>
    path.startsWith('test/') &&
    typeof content === 'string' &&
    [...content.matchAll(/\bfrom '(\.[^']*)'/g)].some(
      ([, target]) => !files.has(posix.join(posix.dirname(path), target!)),
    );
  for (let left = [...files].filter(isLeft); left.length > 0; left = [...files].filter(isLeft))
    for (const [path] of left) files.delete(path);
}

function workspaceOf(checkout: string, server: string): string {
  const servers = join(checkout, 'servers');
  if (!existsSync(servers)) throw new Problem(`${checkout} is no checkout of Rootbound: it has no servers`);
  const names = readdirSync(servers);
  if (names.includes(server)) return join(servers, server);
  throw new Problem(`there is no server ${server}; --from takes ${names.join(', ')}`);
}

/** Returns the name of the program after `server-`, and of the entry in a client. */
function shortName(name: string): string {
  return bareName(name).replace(/^(?:mcp-)?server-|(?:-mcp)?-server$/g, '');
}

/** Returns a text of a server with other names for its package and its program; the names of other projects stay. */
export function renamed(text: string, server: string, name: string): string {
  return text
    .replaceAll(`@rootbound/server-${server}`, () => name)
    .replaceAll(
      new RegExp(String.raw`(?<![\w@/-])server-${server}\b`, 'g'),
      () => `server-${shortName(name)}`,
    )
    .replaceAll(`servers/${server}/`, '');
}

function manifestOf(checkout: string, workspace: string, wish: Wish): Manifest {
  const {
    publishConfig: _,
    mcpName: _registered,
    homepage: _page,
    repository: _repository,
    bugs: _bugs,
    bin = {},
    devDependencies,
    ...rest
  } = standalone(workspace);
  const tools = Object.entries(readManifest(checkout).devDependencies ?? {}).filter(([name]) =>
    TOOLS.includes(name),
  );
  const [program = 'dist/cli.js'] = Object.values(bin);
  return {
    ...rest,
    name: wish.name,
    version: '0.1.0',
    private: true,
    description: wish.description ?? rest.description ?? '',
    bin: { [`server-${shortName(wish.name)}`]: program },
    scripts: {
      build: 'node build.mjs',
      typecheck: 'tsc --noEmit',
      start: `node ${program}`,
      pretest: 'npm run typecheck && npm run build',
      test: 'vitest run',
      predev: 'npm run build',
      dev: 'vitest watch',
      prepack: 'npm run build',
    },
    devDependencies: { ...devDependencies, ...Object.fromEntries(tools) },
  };
}

function compilerOf(checkout: string): object {
  const text = readFileSync(join(checkout, 'tsconfig.base.json'), 'utf8');
  const { compilerOptions } = JSON.parse(text) as { compilerOptions: Record<string, unknown> };
  const { customConditions: _, declaration: _files, ...options } = compilerOptions;
  return { compilerOptions: { ...options, noEmit: true }, include: ['src', 'test'] };
}

function testsOf(files: Files): string {
  const setup = Object.entries(TEST_SETUP)
    .filter(([, path]) => files.has(path))
    .map(([option, path]) => `    ${option}: ['${path}'],\n`);
  return `import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
${setup.join('')}    testTimeout: 120_000,
    hookTimeout: 120_000,
    // a mock of a module of Node reaches the boundary, too
    server: { deps: { inline: ['@rootbound/kit'] } },
  },
});
`;
}
