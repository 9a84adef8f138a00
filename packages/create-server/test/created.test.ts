import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childProcess, connect } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { Place, root } from './workshop.ts';

const place = new Place();
const template = join(root, 'packages', 'create-server', 'template');

test('a created server is built by its own script, and answers by its own name', async () => {
  await place.run('my-server', '--name', '@me/sums', '--description', "Adds what's given");
  symlinkSync(join(template, 'node_modules'), place.at('my-server', 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: place.at('my-server') });
  const program = place.at('my-server', 'dist', 'cli.js');
  const args = [program, place.at('my-server', 'notes')];
  const transport = childProcess({ command: process.execPath, args });
  const client = await connect(transport, { name: 'test', version: '1.0.0' });
  expect(client.serverInfo).toMatchObject({
    name: '@me/sums',
    version: '0.1.0',
    description: "Adds what's given",
  });
  const { contents } = await client.readResource('note:///welcome');
  expect(contents).toMatchObject([{ text: expect.stringContaining('# Welcome') }]);
  await client.close();
  const prints = (...argv: string[]): string =>
    execFileSync(process.execPath, [program, ...argv], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  expect(prints('--help')).toMatch(/^sums 0\.1\.0: Adds what's given/);
  expect(JSON.parse(prints(...args.slice(1), '--print-config', 'claude-desktop'))).toEqual({
    mcpServers: { sums: { command: 'node', args } },
  });
});

test('nothing in it is named after the template', async () => {
  await place.run('my-server', '--name', '@me/sums', '--description', 'Adds.');
  const files = readdirSync(place.at('my-server'), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(files.length).toBeGreaterThan(12);
  for (const { parentPath, name } of files) {
    const text = place.read(join(parentPath, name).slice(place.folder.length));
    expect([name, text]).toEqual([
      name,
      expect.not.stringMatching(/template-server|workspace:\*|Notes that a/),
    ]);
  }
  expect(place.read('my-server', 'README.md')).toMatch(/^# @me\/sums\n\nAdds\.\n/);
  expect(place.json('my-server', 'package.json')).toMatchObject({
    name: '@me/sums',
    bin: { sums: 'dist/cli.js' },
    scripts: { pretest: 'npm run typecheck && npm run build', dev: 'vitest watch' },
  });
  expect(place.json('my-server', '.mcp.json')).toEqual({
    mcpServers: { sums: { type: 'stdio', command: 'node', args: ['dist/cli.js', 'notes'] } },
  });
  expect(place.read('my-server', '.gitignore')).toContain('node_modules/');
});

test('over HTTP its entries hold the address at which npm start serves it', async () => {
  await place.run('my-server', '--transport', 'http');
  const entry = { type: 'http', url: 'http://127.0.0.1:3000/mcp' };
  expect(place.json('my-server', '.mcp.json')).toEqual({ mcpServers: { 'my-server': entry } });
  expect(place.json('my-server', '.vscode', 'mcp.json')).toEqual({ servers: { 'my-server': entry } });
  expect(place.json('my-server', 'package.json')).toMatchObject({
    scripts: { start: 'node dist/cli.js --http 3000 notes' },
  });
});

test('it depends on the protocol and the kit as this workspace has them, or on their tarballs', async () => {
  const { version } = manifestIn(join(root, 'packages', 'protocol'));
  await place.run('released');
  expect(place.json('released', 'package.json')).toMatchObject({
    dependencies: { '@rootbound/protocol': `^${version}`, '@rootbound/kit': `^${version}` },
  });
  mkdirSync(place.at('tarballs'));
  for (const name of ['protocol', 'kit'])
    writeFileSync(place.at('tarballs', `rootbound-${name}-1.2.3.tgz`), `packed ${name}`);
  for (const other of ['rootbound-pr0tocol-1.2.3.tgz', 'rootbound-protocol-0-1.2.3.tgz'])
    writeFileSync(place.at('tarballs', other), 'of another');
  await place.run('vendored', '--packages', place.at('tarballs'));
  expect(place.json('vendored', 'package.json')).toMatchObject({
    dependencies: {
      '@rootbound/kit': 'file:vendor/rootbound-kit-1.2.3.tgz',
      '@rootbound/protocol': 'file:vendor/rootbound-protocol-1.2.3.tgz',
    },
  });
  expect(place.entries('vendored', 'vendor')).toEqual([
    'rootbound-kit-1.2.3.tgz',
    'rootbound-protocol-1.2.3.tgz',
  ]);
  expect(place.read('vendored', 'vendor', 'rootbound-protocol-1.2.3.tgz')).toBe('packed protocol');
});

test('its readme says what the tarballs are and which command puts published packages in their place', async () => {
  await place.run('released');
  expect(place.read('released', 'README.md')).not.toContain('vendor');
  mkdirSync(place.at('tarballs'));
  for (const file of ['rootbound-kit-1.2.3-beta.1.tgz', 'rootbound-protocol-1.2.3-beta.1.tgz'])
    writeFileSync(place.at('tarballs', file), 'packed');
  const fork = ['--from', 'git', '--checkout', root, '--name', '@me/history'];
  for (const [name, packages, ...options] of [
    ['vendored', '@rootbound/kit@1.2.3-beta.1 @rootbound/protocol@1.2.3-beta.1'],
    ['forked', '@rootbound/kit@1.2.3-beta.1 @rootbound/protocol@1.2.3-beta.1', ...fork],
  ] as const) {
    await place.run(name, ...options, '--packages', place.at('tarballs'));
    const readme = place.read(name, 'README.md');
    expect(readme).toContain('`vendor` holds');
    expect(readme).toContain(`\`npm install ${packages}\``);
  }
});

test('the template is worked on with the versions of the workspace', async () => {
  const own = manifestIn(template);
  const ours = {
    ...manifestIn(root).devDependencies,
    ...manifestIn(join(root, 'packages/protocol')).dependencies,
  };
  for (const [name, version] of Object.entries({ ...own.devDependencies, zod: own.dependencies.zod })) {
    expect([name, version]).toEqual([name, ours[name]]);
  }
});

test('it is small: at most 300 lines of source in 8 files', () => {
  const sources = readdirSync(join(template, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').trimEnd());
  expect(sources.length).toBeLessThanOrEqual(8);
  expect(sources.join('\n').split('\n').length).toBeLessThanOrEqual(300);
});

test('its workflow uses the actions that ours does', () => {
  const actionsIn = (folder: string): string[] => {
    const text = readFileSync(join(folder, '.github', 'workflows', 'ci.yml'), 'utf8');
    return [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action!);
  };
  expect(actionsIn(template).length).toBeGreaterThan(1);
  expect(actionsIn(root)).toEqual(expect.arrayContaining(actionsIn(template)));
});

test('a folder that is there and empty is filled', async () => {
  mkdirSync(place.at('my-server'));
  expect(await place.run('my-server')).toMatchObject({ code: 0 });
  expect(place.entries('my-server')).toContain('package.json');
  expect(place.entries('my-server').filter((name) => name.startsWith('.my-server'))).toEqual([]);
});

test('a repository is made where there is none', async () => {
  await place.run('my-server', '--git');
  expect(place.entries('my-server')).toContain('.git');
});

interface Versions {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

function manifestIn(folder: string): Versions {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Versions; // as it is written here
}
