import type { CommandIo, ServerSpec } from '../../src/cli.ts';

const OPTIONS = [
  { name: 'repository', kind: 'root', aliases: ['-r'], value: '<dir>', help: 'a repository' },
  { name: 'allow-domain', kind: 'list', value: '<domain>' },
  { name: 'timeout', kind: 'number', value: '<seconds>', min: 1, max: 600 },
  { name: 'user-agent', kind: 'text', value: '<text>' },
  { name: 'cache', kind: 'path', value: '<dir>' },
  { name: 'trust', kind: 'paths', value: '<dir>' },
  { name: 'ignore-robots-txt', kind: 'flag' },
] as const;

export const spec: ServerSpec<typeof OPTIONS> = {
  name: 'sample',
  package: '@rootbound/server-sample',
  version: '1.2.3',
  summary: 'shows the command line',
  tools: ['read_file', 'write_file', 'list_directory'],
  options: OPTIONS,
};

/** A place to run a command line in, with what it wrote. */
export function recordedIo(place: Partial<CommandIo> = {}): { io: CommandIo; seen: Seen } {
  const seen: Seen = { stdout: '', stderr: '', exitCode: 0 };
  const io: CommandIo = {
    stdout: (text) => {
      seen.stdout += text;
    },
    stderr: (text) => {
      seen.stderr += text;
    },
    exitCode: (code) => {
      seen.exitCode = code;
    },
    cwd: '/home/ann/project',
    home: '/home/ann',
    entry: '/opt/rootbound/servers/sample/dist/cli.js',
    platform: 'linux',
    ...place,
  };
  return { io, seen };
}

export interface Seen {
  stdout: string;
  stderr: string;
  exitCode: number;
}
