import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proof } from '../prove.ts';
import { type Fault, faulty, source } from './faults.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** Time after which a run counts as hanging, in milliseconds. */
const LONGEST_MS = 240_000;
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** The outcome of one test. */
export interface Tested {
  file: string;
  name: string;
  passed: boolean;
  proofs: readonly Proof[];
  /** the error messages of a failure */
  problems: readonly string[];
}

/** The outcome of one run of test files. */
export interface Outcome {
  tests: readonly Tested[];
  /** test files that failed to load */
  broken: readonly string[];
}

/** The tests of a run, and its fault; without names all tests of the files. */
export interface Trial {
  files: readonly string[];
  names?: readonly string[];
  fault?: Fault;
}

interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: {
      fullName: string;
      status: string;
      meta: { proofs?: Proof[] };
      failureMessages?: string[];
    }[];
  }[];
}

/** A copy of the protocol package; vitest's transformed files are cached between runs. */
export class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rootbound-faulty-'));
  readonly #source = join(this.#folder, 'src');

  constructor() {
    cpSync(source, this.#source, { recursive: true });
    symlinkSync(join(source, '..', 'node_modules'), join(this.#folder, 'node_modules'), 'junction');
  }

  /** Runs tests with the copy; a run with a fault ends at the first failure. */
  async run({ files, names, fault }: Trial): Promise<Outcome> {
    const report = join(this.#folder, 'report.json');
    const place = join(this.#source, fault?.file ?? '');
    try {
      if (fault !== undefined) writeFileSync(place, faulty(fault));
      const chosen = names === undefined ? [] : ['-t', `^(${names.map(escaped).join('|')})$`];
      const limits = fault === undefined ? ['--testTimeout=60000'] : ['--bail=1'];
      await runVitest([...chosen, ...limits, ...files], report, this.#source);
      return outcomeOf(JSON.parse(readFileSync(report, 'utf8')) as Report); // written by vitest
    } finally {
      rmSync(report, { force: true });
      if (fault !== undefined) cpSync(join(source, fault.file), place);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function runVitest(choice: readonly string[], report: string, copy: string): Promise<void> {
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const args = [vitest, 'run', '--config', config, '--reporter=json', `--outputFile=${report}`];
  args.push('--experimental.fsModuleCache', ...choice);
  const env = { ...process.env, ROOTBOUND_FAULTY_SOURCE: copy };
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LONGEST_MS,
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // failing tests are expected with a fault
    child.once('close', (code, signal) =>
      code === 0 || code === 1
        ? resolve()
        : reject(new Error(`vitest ended with ${code ?? signal}: ${words}`)),
    );
  });
}

function outcomeOf({ testResults }: Report): Outcome {
  const ran = ({ status }: { status: string }): boolean => status === 'passed' || status === 'failed';
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.filter(ran).map(({ fullName, status, meta, failureMessages }) => ({
      file,
      name: fullName,
      passed: status === 'passed',
      proofs: meta.proofs ?? [],
      problems: failureMessages ?? [],
    })),
  );
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { tests, broken: broken.map(({ name }) => name) };
}
