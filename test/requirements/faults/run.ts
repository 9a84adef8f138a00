import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Proof } from '../prove.ts';
import { type Fault, faulty, source } from './faults.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** What one run of test files has proved, and the names of its tests that failed. */
export interface Outcome {
  proved: ReadonlySet<string>;
  failed: readonly string[];
}

interface Report {
  testResults: { assertionResults: { fullName: string; status: string; meta: { proofs?: Proof[] } }[] }[];
}

/** Runs test files against a copy of the protocol package, with a fault in it if there is one. */
export async function run(files: readonly string[], fault?: Fault): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-faulty-'));
  try {
    const copy = join(folder, 'src');
    cpSync(source, copy, { recursive: true });
    symlinkSync(join(source, '..', 'node_modules'), join(folder, 'node_modules'), 'junction');
    if (fault !== undefined) writeFileSync(join(copy, fault.file), faulty(fault));
    const report = join(folder, 'report.json');
    await runVitest(files, report, copy);
    return outcomeOf(JSON.parse(readFileSync(report, 'utf8')) as Report); // vitest wrote it
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runVitest(files: readonly string[], report: string, copy: string): Promise<void> {
  const config = join(import.meta.dirname, 'vitest.config.ts');
  const args = [vitest, 'run', '--config', config, '--reporter=json', `--outputFile=${report}`, ...files];
  const env = { ...process.env, ROOTBOUND_FAULTY_SOURCE: copy };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // tests that fail are what a fault is for
    child.once('close', (code, signal) =>
      code === 0 || code === 1
        ? resolve()
        : reject(new Error(`vitest ended with ${code ?? signal}: ${words}`)),
    );
  });
}

function outcomeOf({ testResults }: Report): Outcome {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed');
  return {
    proved: new Set(passed.flatMap(({ meta }) => (meta.proofs ?? []).map(({ id, side }) => `${id} ${side}`))),
    failed: tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  };
}
