import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { childProcess } from '@rootbound/protocol/client';
import { beforeAll, expect, test } from 'vitest';
import { outermost } from '../../../../test/extent.ts';
import { spec, toolNames, version } from '../../src/spec.ts';
import { call, newest, program, run, Scene } from '../harness.ts';

const scene = new Scene();

beforeAll(() => {
  if (!existsSync(program)) throw new Error('dist/cli.js is missing; run the build first');
});

test('--version prints the version of the package and nothing else', async () => {
  const { version: packaged } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    version: string;
  };
  expect(version).toBe(packaged);
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${packaged}\n`, stderr: '' });
});

test('--help prints every option to stdout', async () => {
  const { code, stdout, stderr } = await run(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  for (const word of [
    'server-filesystem',
    '[root ...]',
    '--read-only',
    '--client-roots',
    '--max-output',
    '--print-config',
  ])
    expect(stdout).toContain(word);
});

test.each<[string[], RegExp]>([
  [['--reed-only'], /^server-filesystem: unknown option --reed-only; did you mean --read-only\?\n$/],
  [['--client-roots', 'wide'], /^server-filesystem: .*--client-roots.*narrow.*strict.*ignore.*\n$/],
  [['--max-output', '5'], /^server-filesystem: .*--max-output.*\n$/],
  [['--max-output'], /^server-filesystem: --max-output wants .*got nothing.*\n$/],
  [
    ['--tools', 'read_txt_file'],
    /^server-filesystem: unknown tool "read_txt_file" in --tools; did you mean read_text_file\?.*\n$/,
  ],
  [['--http', '0.0.0.0:0'], /^server-filesystem: --http .* is beyond loopback; .*\n$/],
  [['--ws'], /^server-filesystem: --ws is about HTTP; .*\n$/],
  [['--print-config', 'emacs'], /^server-filesystem: .*--print-config.*\n$/],
  [[''], /^server-filesystem: a root wants a path.*\n$/],
])('the invalid arguments %j end with one line on stderr and exit code 2', async (args, line) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd()).not.toContain('\n');
});

test.each([
  ['vscode', 'servers'],
  ['claude-desktop', 'mcpServers'],
  ['cursor', 'mcpServers'],
])('--print-config %s prints JSON that starts this program with this root', async (client, member) => {
  const { code, stdout, stderr } = await run(['--print-config', client, '--read-only', scene.root]);
  expect(code).toBe(0);
  // stderr names the file for the entry
  expect(stderr).toContain('json');
  const { [spec.name]: printed } = (
    JSON.parse(stdout) as Record<string, Record<string, { command: string; args: string[] }>>
  )[member]!;
  const [entry, ...rest] = printed!.args;
  expect([isAbsolute(entry!), existsSync(entry!), rest]).toEqual([true, true, ['--read-only', scene.root]]);
  expect(entry).toBe(program);
  const transport = childProcess({ command: printed!.command, args: printed!.args });
  scene.put('a.txt', 'one');
  const served = await scene.connect(transport, {});
  expect((await call(served, 'read_text_file', { path: 'a.txt' })).text).toBe('one');
  expect((await served.listTools()).map((tool) => tool.name)).not.toContain('write_file');
});

test.each(outermost(allRevisions))(
  'in %s the built program serves a session and writes only messages to stdout',
  async (revision) => {
    scene.put('a.txt', 'one\n');
    const requests: object[] =
      revision === newest
        ? []
        : [
            {
              id: 1,
              method: 'initialize',
              params: {
                protocolVersion: revision,
                capabilities: {},
                clientInfo: { name: 't', version: '1' },
              },
            },
            { method: 'notifications/initialized' },
          ];
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': newest,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const meta = revision === newest ? { _meta } : {};
    const tools: [string, object][] = [
      ['read_text_file', { path: 'a.txt' }],
      ['read_text_file', { path: 'none.txt' }],
      ['write_file', { path: 'b.txt', content: 'two' }],
      ['edit_file', { path: 'b.txt', edits: [{ oldText: 'two', newText: 'three' }] }],
      ['read_media_file', { path: 'b.txt' }],
      ['read_multiple_files', { paths: ['a.txt', 'b.txt'] }],
      ['create_directory', { path: 'dir' }],
      ['move_file', { source: 'b.txt', destination: 'dir/b.txt' }],
      ['list_directory', { path: '.' }],
      ['directory_tree', { path: '.' }],
      ['copy_file', { source: 'a.txt', destination: 'dir/copy.txt' }],
      ['set_file_attributes', { path: 'a.txt', mode: '600' }],
      ['read_file', { path: 'a.txt' }],
      ['list_directory_with_sizes', { path: '.' }],
      ['search_files', { path: '.', pattern: '**/*.txt' }],
      ['search_content', { path: '.', pattern: 'one' }],
      ['get_file_info', { path: 'a.txt' }],
      ['list_allowed_directories', {}],
    ];
    requests.push({ id: 2, method: 'tools/list', params: meta });
    for (const [index, [name, args]] of tools.entries())
      requests.push({ id: 10 + index, method: 'tools/call', params: { name, arguments: args, ...meta } });
    requests.push(
      { id: 90, method: 'resources/list', params: meta },
      { id: 91, method: 'prompts/get', params: { name: 'explore', ...meta } },
    );
    const { code, stdout, stderr } = await run(
      [scene.root],
      requests.map((request) => ({ jsonrpc: '2.0', ...request })),
    );
    expect([code, stderr]).toEqual([0, '']);
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            jsonrpc: string;
            id?: number;
            method?: string;
            result?: { isError?: boolean };
          },
      );
    expect(messages.every((message) => message.jsonrpc === '2.0')).toBe(true);
    const answers = messages.filter(({ method }) => method === undefined);
    // the session's writes may change its facts about the root
    for (const { method } of messages)
      expect([undefined, 'notifications/resources/list_changed']).toContain(method);
    const failed = tools.filter(
      (_, index) => messages.find((message) => message.id === 10 + index)?.result?.isError !== undefined,
    );
    expect(failed).toEqual([['read_text_file', { path: 'none.txt' }]]);
    const wanted = requests.flatMap((request) => ('id' in request ? [request.id] : []));
    expect(new Set(answers.map((message) => message.id))).toEqual(new Set(wanted));
    expect(answers.length).toBe(wanted.length);
  },
);

test('--tools and --exclude-tools select the tools', async () => {
  const names = async (...args: string[]): Promise<string[]> => {
    const transport = childProcess({ command: process.execPath, args: [program, ...args, scene.root] });
    return (await (await scene.connect(transport, {})).listTools()).map((tool) => tool.name);
  };
  expect(await names('--tools', 'read_text_file,list_directory')).toEqual([
    'read_text_file',
    'list_directory',
  ]);
  expect(await names('--exclude-tools', 'write_file')).toEqual(
    toolNames.filter((name) => name !== 'write_file' && name !== 'delete_file'),
  );
});

test('--max-output limits results of the built program', async () => {
  scene.put('a.txt', 'line\n'.repeat(2000));
  const transport = childProcess({
    command: process.execPath,
    args: [program, '--max-output', '2K', scene.root],
  });
  const { facts } = await call(await scene.connect(transport, {}), 'read_text_file', { path: 'a.txt' });
  expect([facts.truncated, facts.text.length < 2048]).toEqual([true, true]);
});

test('a missing root does not stop the program', async () => {
  const transport = childProcess({ command: process.execPath, args: [program, scene.at('none')] });
  const client = await scene.connect(transport, {});
  expect((await call(client, 'read_text_file', { path: 'a.txt' })).failed).toBe(true);
  scene.put('none/a.txt', 'here now');
  expect((await call(client, 'read_text_file', { path: 'a.txt' })).text).toBe('here now');
});

test('--doctor reports the containment', async () => {
  const { code, stdout } = await run(['--doctor', scene.root]);
  const wanted =
    process.platform === 'linux' ? /^ok +containment kernel/m : /^warn +containment best-effort/m;
  expect(stdout).toMatch(wanted);
  expect(code).toBe(0);
});

test('--doctor reports a missing root', async () => {
  const { stdout } = await run(['--doctor', scene.at('none')]);
  expect(stdout).toContain('none');
});
