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

/** What the steps of a workflow run, and what their actions are told to. */
function commandsOf({ jobs }: Workflow): string[] {
  return Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .flatMap(({ run, with: inputs }) => [run, inputs?.version])
    .filter((command) => command !== undefined);
}

/** The npm scripts that a command starts. */
function scriptsIn(command: string): string[] {
  return [...command.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
    ([, run, short]) => run ?? short!,
  );
}

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const text = textOf(name);
  const workflow = read(text);
  const jobs = Object.values(workflow.jobs);

  test('starts npm scripts that exist, and some', () => {
    const started = commandsOf(workflow).flatMap(scriptsIn);
    expect(started).not.toEqual([]);
    expect(started.filter((script) => !(script in manifest.scripts))).toEqual([]);
  });

  test('uses actions at a commit, and says which version that is', () => {
    const used = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(used).toHaveLength(jobs.flatMap(({ steps }) => steps.filter(({ uses }) => uses)).length);
    expect(used.filter((line) => !/ [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('may read the repository at most, unless a job needs more', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(workflow.permissions);
    expect(workflow.on).not.toHaveProperty('pull_request_target');
  });

  test('puts no words of others into a command, and ends', () => {
    expect(commandsOf(workflow).filter((command) => command.includes('${{'))).toEqual([]);
    expect(jobs.filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
  });

  test('takes the package manager of this repository', () => {
    const named = [...text.matchAll(/\bpnpm@[\d.]+/g)].map(([found]) => found);
    expect(named.filter((found) => found !== manifest.packageManager)).toEqual([]);
  });
});

test('every supported Node runs the tests on Linux, and every server has its image built', () => {
  const { linux, elsewhere, images } = read(textOf('ci.yml')).jobs;
  expect(linux!.strategy!.matrix.node).toEqual(['20', '22', '24']);
  expect(linux!.steps.map(({ run }) => run)).toContain('npm test');
  expect(elsewhere!.strategy!.matrix.system!.map((system) => system.split('-')[0])).toEqual([
    'macos',
    'windows',
  ]);
  expect(images!.strategy!.matrix.server).toEqual(readdirSync(join(root, 'servers')));
});

test('the tests that run elsewhere are projects that there are', () => {
  const projects = commandsOf(read(textOf('ci.yml')))
    .flatMap((command) => [...command.matchAll(/--project (\S+)/g)])
    .map(([, project]) => project!);
  const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8');
  expect(projects).not.toEqual([]);
  expect(projects.filter((project) => !config.includes(`name: '${project}'`))).toEqual([]);
});

test('only the job that publishes can sign, and it publishes with provenance', () => {
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

test('a script that does not exist is found out', () => {
  const workflow = read('on: {}\npermissions: {}\njobs: { one: { steps: [{ run: npm run no-such }] } }\n');
  expect(commandsOf(workflow).flatMap(scriptsIn)).toEqual(['no-such']);
});
