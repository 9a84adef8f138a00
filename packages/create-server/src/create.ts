import { join, relative } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Files } from './files.ts';
import { filesOfFork } from './fork.ts';
import { readManifest } from './manifest.ts';
import { bareName } from './names.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { type Plan, planOf } from './plan.ts';
import { Problem } from './problem.ts';
import { run } from './programs.ts';
import { makeProject } from './project.ts';
import { personAt } from './questions.ts';
import { changeDirectory, shellWords } from './shell.ts';
import { withTarballs } from './tarballs.ts';
import { filesOfServer, NOTES, readTemplate } from './template.ts';

/** The surroundings of the program. */
export interface Surroundings {
  readonly cwd: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  /** whether somebody can be asked */
  readonly terminal: boolean;
  /** ends it and its programs; nothing is left half-made */
  readonly signal: AbortSignal;
}

const INTERRUPTED = 130;
const HOME = join(import.meta.dirname, '..');
const TEMPLATE = join(HOME, 'dist', 'template');

/** Creates the project of a command line and returns the exit code. */
export async function create(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options.help) around.output.write(USAGE);
    else if (options.version) around.output.write(`${readManifest(HOME).version}\n`);
    else return await make(options, around);
    return 0;
  } catch (error) {
    if (error instanceof Problem) {
      around.errors.write(`create-server: ${error.message}\n`);
      return 2;
    }
    if (error instanceof Error && error.name === 'AbortError') {
      around.errors.write('create-server: ended, nothing was made\n');
      return INTERRUPTED;
    }
    throw error;
  }
}

async function make(options: Options, around: Surroundings): Promise<number> {
  const plan = await settle(options, around);
  const { signal } = around;
  const repository = async (draft: string): Promise<void> => {
    const made = !plan.git || (await run('git', ['init', '-q', '-b', 'main'], draft, { signal }));
    if (!made && !signal.aborted)
      around.errors.write('create-server: git could not make a repository; go on without one\n');
  };
  await makeProject(plan.folder, filesOf(options, plan), repository, signal);
  const displayPath = displayedPath(plan.folder, around.cwd);
  around.output.write(`made ${plan.name} in ${displayPath}\n`);
  const installed =
    plan.install && (await run('npm', ['install', '--no-audit', '--no-fund'], plan.folder, { signal }));
  if (plan.install && !installed) {
    const how = signal.aborted ? 'was ended' : 'failed';
    around.errors.write(`create-server: npm install ${how}; run it again in ${displayPath}\n`);
  }
  const roots = options.from === undefined ? [join(plan.folder, NOTES)] : [];
  around.output.write(nextSteps(plan, displayPath, installed, roots));
  if (signal.aborted) return INTERRUPTED;
  return plan.install && !installed ? 1 : 0;
}

async function settle(
  options: Options,
  { cwd, input, output, terminal, signal }: Surroundings,
): Promise<Plan> {
  const person = terminal && !options.yes ? personAt(input, output, signal) : undefined;
  try {
    return await planOf(options, cwd, person);
  } finally {
    person?.leave();
  }
}

function filesOf({ from, checkout, packages }: Options, plan: Plan): Files {
  const template = readTemplate(TEMPLATE);
  const files =
    from === undefined || checkout === undefined
      ? filesOfServer(template, plan)
      : filesOfFork(checkout, from, template, plan);
  return packages === undefined ? files : withTarballs(files, packages);
}

/** Returns a folder as its user would write it. */
function displayedPath(folder: string, cwd: string): string {
  const path = relative(cwd, folder) || '.';
  return path.length < folder.length ? path : folder;
}

function nextSteps(
  { name, folder }: Plan,
  displayPath: string,
  installed: boolean,
  roots: readonly string[],
): string {
  const { platform } = process;
  const program = join(folder, 'dist', 'cli.js');
  const steps = [
    ...(displayPath === '.' ? [] : [changeDirectory(displayPath, platform)]),
    ...(installed ? [] : ['npm install']),
    'npm test',
  ];
  return `
${steps.map((step) => `  ${step}\n`).join('')}
The README says how clients find it. For Claude Code, from anywhere, once it is built:

  ${shellWords(['claude', 'mcp', 'add', bareName(name), '--', 'node', program, ...roots], platform)}
`;
}
