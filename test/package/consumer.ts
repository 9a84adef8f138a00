import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './packages.ts';

/** The module resolution of a consumer. */
export const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

/** Packages that our types refer to, and the workspaces that depend on them. */
const others = { zod: 'packages/protocol', jose: 'packages/protocol', rolldown: 'packages/kit' };

/** Creates a project outside of the workspace in which packed packages are installed. */
export function makeConsumer(home: string, tarballs: Record<string, string>): void {
  const modules = join(home, 'node_modules');
  for (const [name, tarball] of Object.entries(tarballs)) {
    const folder = join(modules, name);
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  }
  for (const [name, workspace] of Object.entries(others)) link(name, workspace, modules);
  mkdirSync(join(modules, '@types'));
  symlinkSync(
    realpathSync(join(root, 'node_modules', '@types', 'node')),
    join(modules, '@types', 'node'),
    'junction',
  );
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
}

/** Compiles a program of that project; returns the errors, including those in declarations. */
export function compile(home: string, program: string, resolution: keyof typeof resolutions): string {
  const name = `${resolution}.ts`;
  writeFileSync(join(home, name), program);
  const compilerOptions = {
    ...resolutions[resolution],
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const config = join(home, `tsconfig.${resolution}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [name] }));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = { cwd: home, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', config], options);
  return stdout + stderr;
}

function link(name: string, workspace: string, modules: string): void {
  const manifest = createRequire(join(root, workspace, 'package.json')).resolve(`${name}/package.json`);
  symlinkSync(realpathSync(dirname(manifest)), join(modules, name), 'junction');
}
