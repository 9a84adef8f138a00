import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Place, rowOf } from '../../src/repository/files/row.ts';
import { environmentRows, type NamedRow, programRows } from '../../src/repository/files/started.ts';
import { fileRows } from '../../src/repository/files/table.ts';
import { call, Served } from '../harness.ts';
import { everyState, makeStates } from '../hostile/states.ts';
import { scratch } from '../scratch.ts';
import { rows } from './hostile-calls.ts';
import { realOf, type Trace, Tracing } from './traced.ts';

const served = new Served();
const made = scratch();
const { folder } = made;
const root = join(folder, 'root');
const usual = process.env.PATH;
let tracing: Tracing;

beforeAll(() => {
  const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  tracing = new Tracing(folder, real);
  process.env.PATH = `${tracing.path}:${usual}`;
  // git-lfs, where it is installed, is a filter of the system
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  mkdirSync(root);
  // the tests' own git is not traced
  makeStates(made, { PATH: usual ?? '' });
});

afterAll(() => {
  process.env.PATH = usual;
  vi.unstubAllEnvs();
});

const at = (name: string): string => join(root, name);

const readers = Object.keys(rows).filter((tool) => !rows[tool]!.args?.action && !rows[tool]!.merging);
/** Those that change nothing, or nothing that a later call would miss. */
const reading = readers.filter((tool) =>
  /overview|status|diff|log|show|blame|branch$|list|read_file|search/.test(tool),
);

async function drive(state: string, tools: readonly string[]): Promise<void> {
  const client = await served.client([root]);
  for (const tool of tools) {
    tracing.name(`${tool}@${state.replace('/', '-')}`);
    // that it is refused is no matter here
    await call(client, tool, { repo_path: at(state), ...rows[tool]!.args });
  }
}

test.each(everyState)('the tools that read are followed in the state %s', (state) => drive(state, reading));
test.each(['merging', 'rebasing', 'picking', 'reverting', 'applying'])(
  'a step back of %s is followed',
  async (state) => {
    const client = await served.client([root]);
    tracing.name(`git_conflicts@${state}`);
    await call(client, 'git_conflicts', { repo_path: at(state) });
    tracing.name(`git_continue@${state}`);
    await call(client, 'git_continue', { repo_path: at(state), action: 'abort', confirm: true });
  },
);
test('the tools that change are followed', () =>
  drive(
    'normal',
    Object.keys(rows).filter(
      (tool) => !reading.includes(tool) && tool !== 'git_clone' && tool !== 'git_init',
    ),
  ));

/** Returns the innermost known folder that contains a path. */
function placesOf(path: string): { place: Place; name: string }[] {
  const known: [Place, string][] = everyState
    .filter((state) => existsSync(at(state)))
    .flatMap((state): [Place, string][] => {
      const [workTree, dotGit] = [at(state), join(at(state), '.git')];
      if (state === 'bare') return ofGitDir(workTree);
      return [['work tree', workTree], ...ofGitDir(dotGit)];
    });
  const others = [...ofGitDir(at('super/.git/modules/sub')), ['git dir', at('normal/.git/worktrees/linked')]];
  const all = [...known, ...(others as [Place, string][]), ...ofGitDir(at('base/.git'))];
  const around = all.filter(([, folder]) => path === folder || path.startsWith(`${folder}/`));
  const innermost = Math.max(...around.map(([, folder]) => folder.length));
  return around
    .filter(([, folder]) => folder.length === innermost)
    .map(([place, folder]) => ({ place, name: relative(folder, path) }));
}

function ofGitDir(gitDir: string): [Place, string][] {
  return [
    ['git dir', gitDir],
    ['common dir', gitDir],
    ['objects', join(gitDir, 'objects')],
  ];
}

/** The names that the calls above ask for as revisions, which git looks for beside HEAD, too. */
const revisions =
  /^(?:main|side|spare|v1|new|based|origin|other|refs|stash|heads|tags|remotes|[0-9a-f]{7,64})(?:\/.*)?$/;

/** The paths of a trace, those in the server's own common directory as what they stand for in the repository. */
function* pathsIn({ tool, paths, commonDir }: Trace): Generator<string> {
  const state = tool.split('@')[1]?.replace('super-sub', 'super/sub') ?? '';
  for (const path of paths) {
    const isOwn = commonDir !== undefined && (path === commonDir || path.startsWith(`${commonDir}/`));
    const real = realOf(isOwn ? join(commonDirOf(state), relative(commonDir, path)) : path);
    if (real.startsWith(`${root}/`)) yield real;
  }
}

function commonDirOf(state: string): string {
  if (state === 'bare') return at('bare');
  if (state === 'super/sub') return at('super/.git/modules/sub');
  return join(at(state === 'linked' ? 'normal' : state), '.git');
}

function strangers(traces: readonly Trace[], table = fileRows): string[] {
  const found = new Set<string>();
  for (const trace of traces)
    for (const path of pathsIn(trace)) {
      const places = placesOf(path);
      const isKnown = places.some(
        ({ place, name }) =>
          rowOf(table, place, name) !== undefined || (place === 'git dir' && revisions.test(name)),
      );
      if (places.length > 0 && !isKnown)
        found.add(`${trace.tool.split('@')[0]} ${places[0]!.place}: ${places[0]!.name}`);
    }
  return [...found].sort();
}

function unnamed(names: Iterable<string>, table: readonly NamedRow[]): string[] {
  return [...new Set(names)].filter((name) => !table.some((row) => row.name.test(name))).sort();
}

test('each file that git and its children look for has a row, and would be missed without it', () => {
  const traces = tracing.traces();
  expect(traces.length).toBeGreaterThan(100);
  expect(strangers(traces)).toEqual([]);
  const without = (name: string) => fileRows.filter((row) => row.at === 'work tree' || !row.path.test(name));
  for (const name of ['config', 'packed-refs', 'info/exclude', 'HEAD', 'index'])
    expect([name, strangers(traces, without(name)).some((each) => each.endsWith(`: ${name}`))]).toEqual([
      name,
      true,
    ]);
});

test('git looks for nothing that the repository configures, and reads the format of a submodule alone', () => {
  const confined = tracing.traces().filter(({ commonDir }) => commonDir !== undefined);
  expect(confined.length).toBeGreaterThan(100);
  const configures = /^(?:config|config\.worktree|hooks(?:\/.*)?)$/;
  // by the git around it, which looks there for `extensions` and follows no include; trust/submodules.test.ts has payloads
  const ofSubmodule = at('super/.git/modules/sub/config');
  const found = confined.flatMap(({ tool, paths }) =>
    [...paths]
      .filter((path) =>
        placesOf(realOf(path)).some(({ place, name }) => place !== 'work tree' && configures.test(name)),
      )
      .filter((path) => realOf(path) !== ofSubmodule)
      .map((path) => `${tool}: ${path}`),
  );
  expect(found).toEqual([]);
});

test('each program and each variable has a row', () => {
  const traces = tracing.traces();
  const programs = traces.flatMap((trace) => [...trace.programs].map((path) => basename(path)));
  expect(new Set(programs).has('git')).toBe(true);
  expect(unnamed(programs, programRows)).toEqual([]);
  const variables = traces.flatMap((trace) => [...trace.variables]);
  expect(new Set(variables).has('GIT_DIR')).toBe(true);
  expect(unnamed(variables, environmentRows)).toEqual([]);
  expect(
    unnamed(
      variables,
      environmentRows.filter(({ name }) => !name.test('GIT_DIR')),
    ),
  ).toContain('GIT_DIR');
});
