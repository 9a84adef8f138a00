import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { root } from './packages.ts';

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** Returns the instructions of each stage without comments, with continued lines joined. */
function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, word, rest] = /^(\w+)\s+(.*)$/.exec(line)!;
    if (word === 'FROM') stages.push([]);
    stages.at(-1)!.push({ word: word!, rest: rest! });
  }
  return stages;
}

const all = (stage: readonly Instruction[], word: string): string[] =>
  stage.filter((instruction) => instruction.word === word).map(({ rest }) => rest);

/** Returns the faults of a server's Dockerfile that the linter does not find. */
function faultsOf(dockerfile: string, { mcpName, server }: { mcpName: string; server: string }): string[] {
  const stages = stagesOf(dockerfile);
  const last = stages.at(-1)!;
  const runs = stages.flatMap((stage) => all(stage, 'RUN'));
  const checks: [boolean, string][] = [
    [
      stages.every(([from]) => /^node:\d+\.\d+\.\d+-bookworm-slim( AS \w+)?$/.test(from!.rest)),
      'an image that is not pinned',
    ],
    [new Set(stages.map(([from]) => from!.rest.split(' ')[0])).size === 1, 'two images'],
    [all(last, 'USER').at(-1) === 'node', 'it runs as root'],
    [all(last, 'ENTRYPOINT').join() === '["node", "/app/dist/cli.js"]', 'it starts something else'],
    [all(last, 'COPY').every((rest) => rest.startsWith('--from=build ')), 'files that are not built'],
    [
      all(last, 'COPY').includes(`--from=build /src/servers/${server}/dist /app/dist`),
      'the build of another server',
    ],
    [stages.every((stage) => all(stage, 'ADD').length === 0), 'ADD, which unpacks and downloads'],
    [
      all(last, 'LABEL').includes(`io.modelcontextprotocol.server.name="${mcpName}"`),
      'it is not the image that the registry is told of',
    ],
    [
      runs
        .filter((run) => run.includes('apt-get'))
        .every(
          (run) => run.includes('--no-install-recommends') && run.endsWith('rm -rf /var/lib/apt/lists/*'),
        ),
      'packages that are not needed, or lists of them',
    ],
  ];
  return checks.filter(([fine]) => !fine).map(([, fault]) => fault);
}

describe.each(readdirSync(join(root, 'servers')))('the image of the %s server', (server) => {
  const read = (name: string): string => readFileSync(join(root, 'servers', server, name), 'utf8');
  const dockerfile = read('Dockerfile');
  const { mcpName } = JSON.parse(read('package.json')) as { mcpName: string };

  test('has a Dockerfile without linter messages', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
  });

  test('runs the built server as an unprivileged user, from a pinned image', () => {
    expect(faultsOf(dockerfile, { mcpName, server })).toEqual([]);
  });

  test.each<[string, (text: string) => string, string]>([
    ['runs as root', (text) => text.replace('USER node', 'USER root'), 'it runs as root'],
    ['follows a tag', (text) => text.replaceAll(/node:[\d.]+-/g, 'node:24-'), 'an image that is not pinned'],
    ['has another name', (text) => text.replace('io.github', 'com.github'), 'it is not the image that'],
  ])('a Dockerfile that %s is detected', (_what, spoil, fault) => {
    expect(faultsOf(spoil(dockerfile), { mcpName, server }).join()).toContain(fault);
  });
});

test('the linter detects an invalid Dockerfile', () => {
  expect(validate('FROM node:24\nCOPPY . .\n')).not.toEqual([]);
});

test('local builds and installations are not copied into an image', () => {
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.git', '**/dist', '**/node_modules']));
});
