import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverPackage } from '../../servers/sqlite/src/lane/driver.ts';
import { ask, makeShop, root } from './packages.ts';

interface Bundled {
  server: string;
  /** in KiB */
  most: number;
  /** its files besides the manifest, the texts and the build */
  besides: RegExp;
  /** creates the files of the call */
  furnish(home: string): void;
  call: { name: string; arguments: object };
  /** whether the call fails, and a part of its result */
  answers: [boolean, string];
}

const servers: Bundled[] = [
  {
    server: 'filesystem',
    most: 450,
    besides: /^$/,
    furnish: (home) => writeFileSync(join(home, 'tea.txt'), 'kettle'),
    call: { name: 'search_content', arguments: { path: '.', pattern: 'kettle' } },
    answers: [false, 'tea.txt'],
  },
  {
    server: 'git',
    most: 600,
    besides: /^$/,
    furnish: (home) => void execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: home }),
    call: { name: 'git_status', arguments: {} },
    answers: [false, 'on main, no commit yet'],
  },
  {
    server: 'sqlite',
    most: 10_240,
    besides:
      /^node_modules\/better-sqlite3\/(?:package\.json|LICENSE|lib\/|prebuilds\/(?:darwin|linux|win32)-)/,
    furnish: (home) => makeShop(join(home, 'shop.db')),
    call: { name: 'read_query', arguments: { query: 'SELECT name FROM item' } },
    // the driver of the bundle needs Node 22, which Claude Desktop includes
    answers: driverPackage() === 'better-sqlite3' ? [false, 'kettle'] : [true, '--doctor'],
  },
  {
    server: 'fetch',
    most: 3072,
    besides: /^$/,
    furnish: () => {},
    call: { name: 'fetch', arguments: { url: 'http://127.0.0.1/' } },
    answers: [true, '--allow-private'],
  },
];

/** The parts of a manifest that start a server. */
interface Manifest {
  version: string;
  tools: { name: string }[];
  server: { entry_point: string; mcp_config: { command: string; args: string[] } };
  user_config?: Record<string, { multiple: boolean; required: boolean }>;
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound bundles '));
  execFileSync(process.execPath, [join(root, 'scripts', 'bundles.mjs'), '--only-pack', '--out', folder], {
    stdio: 'ignore',
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(servers)('the bundle of the $server server', ({ server, most, besides, ...bundled }) => {
  let file: string;
  let files: Record<string, Uint8Array>;
  let manifest: Manifest;

  beforeAll(() => {
    const { version } = JSON.parse(readFileSync(join(root, 'servers', server, 'package.json'), 'utf8')) as {
      version: string;
    };
    file = join(folder, `rootbound-${server}-${version}.mcpb`);
    files = unzipSync(new Uint8Array(readFileSync(file)));
    manifest = JSON.parse(Buffer.from(files['manifest.json']!).toString('utf8')) as Manifest;
  });

  test('has a manifest of the official schema', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const schema = join(import.meta.dirname, 'schemas', 'mcpb-manifest-v0.3.schema.json');
    const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
    validate(manifest);
    expect(validate.errors).toBeNull();
    const { author: _, ...nobody } = manifest as Manifest & { author: unknown };
    expect(validate(nobody)).toBe(false);
  });

  test(`is smaller than ${most} KiB, and has only the program and its notices`, () => {
    expect(statSync(file).size).toBeLessThan(most * 1024);
    const names = Object.keys(files);
    expect(names).toEqual(
      expect.arrayContaining([
        'manifest.json',
        'README.md',
        'LICENSE',
        'dist/package.json',
        'dist/THIRD-PARTY-LICENSES.txt',
        manifest.server.entry_point,
      ]),
    );
    const own = /^(?:manifest\.json|README\.md|LICENSE|dist\/.*)$/;
    expect(names.filter((name) => !own.test(name) && !besides.test(name))).toEqual([]);
  });

  test('names the tools that the server lists, and serves the folder that the user picks', async () => {
    const { furnish, call, answers } = bundled;
    const home = join(folder, `${server} home`);
    const picked = join(folder, `${server} picked`);
    mkdirSync(picked);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), content);
    }
    furnish(picked);
    expect(Object.values(manifest.user_config ?? {})).toEqual(
      server === 'fetch' ? [] : [expect.objectContaining({ multiple: true, required: true })],
    );
    const { command, args } = manifest.server.mcp_config;
    const filled = args.map((arg) =>
      arg.replace(`\${__dirname}`, home).replace(`\${user_config.folders}`, picked),
    );
    expect(filled.join()).not.toContain('${');
    expect(manifest.tools.map(({ name }) => name)).toContain(call.name);
    const { failed, text } = await ask(command, filled, call);
    expect([failed, text]).toEqual([answers[0], expect.stringContaining(answers[1])]);
  });
});
