import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { root } from './packages.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string>;
}

interface Job {
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  strategy?: { matrix: Record<string, string[]> };
  steps: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const folder = join(root, '.github', 'workflows');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  packageManager: string;
  scripts: Record<string, string>;
};

const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

function read(text: string): Workflow {
  const parsed = parseDocument(text);
  expect([...parsed.errors, ...parsed.warnings]).toEqual([]);
  return parsed.toJS() as Workflow;
}

/** Returns the commands of a workflow's steps and the inputs of its actions. */
function commandsOf({ jobs }: Workflow): string[] {
  return Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .flatMap(({ run, with: inputs }) => [run, inputs?.version])
    .filter((command) => command !== undefined);
}

/** Returns the npm scripts that a command starts. */
function scriptsIn(command: string): string[] {
  return [...command.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
    ([, run, short]) => run ?? short!,
  );
}

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const text = textOf(name);
  const workflow = read(text);
  const jobs = Object.values(workflow.jobs);

  test('starts at least one npm script, and all of them exist', () => {
    const started = commandsOf(workflow).flatMap(scriptsIn);
    expect(started).not.toEqual([]);
    expect(started.filter((script) => !(script in manifest.scripts))).toEqual([]);
  });

  test('pins actions to a commit, with the version in a comment', () => {
    const used = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(used).toHaveLength(jobs.flatMap(({ steps }) => steps.filter(({ uses }) => uses)).length);
    expect(used.filter((line) => !/ [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('has read permission only, unless a job needs more', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(workflow.permissions);
    expect(workflow.on).not.toHaveProperty('pull_request_target');
  });

  test('has no untrusted expression in a command, and has a timeout', () => {
    expect(commandsOf(workflow).filter((command) => command.includes('${{'))).toEqual([]);
    expect(jobs.filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
  });

  test('uses the package manager of this repository', () => {
    const named = [...text.matchAll(/\bpnpm@[\d.]+/g)].map(([found]) => found);
    expect(named.filter((found) => found !== manifest.packageManager)).toEqual([]);
  });
});

test('every supported Node runs the tests on Linux, and the image of every server is built', () => {
  const { linux, elsewhere, images } = read(textOf('ci.yml')).jobs;
  expect(linux!.strategy!.matrix.node).toEqual(['20', '22', '24']);
  expect(linux!.steps.map(({ run }) => run)).toContain('npm test');
  expect(elsewhere!.strategy!.matrix.system!.map((system) => system.split('-')[0])).toEqual([
    'macos',
    'windows',
  ]);
  expect(images!.strategy!.matrix.server).toEqual(readdirSync(join(root, 'servers')));
});

test('the tests on other systems are existing projects', () => {
  const projects = commandsOf(read(textOf('ci.yml')))
    .flatMap((command) => [...command.matchAll(/--project (\S+)/g)])
    .map(([, project]) => project!);
  const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8');
  expect(projects).not.toEqual([]);
  expect(projects.filter((project) => !config.includes(`name: '${project}'`))).toEqual([]);
});

test('only the publish job can sign, and it publishes with provenance', () => {
  const text = textOf('release.yml');
  const jobs = read(text).jobs;
  const signing = Object.keys(jobs).filter((job) => jobs[job]!.permissions?.['id-token'] === 'write');
  expect(signing).toEqual(['publish']);
  expect(jobs.publish!.steps).toContainEqual(
    expect.objectContaining({
      run: expect.stringMatching(/^npm run release$/m),
      env: expect.objectContaining({ NPM_CONFIG_PROVENANCE: 'true' }),
    }),
  );
});

test('a missing script is detected', () => {
  const workflow = read('on: {}\npermissions: {}\njobs: { one: { steps: [{ run: npm run no-such }] } }\n');
  expect(commandsOf(workflow).flatMap(scriptsIn)).toEqual(['no-such']);
});
