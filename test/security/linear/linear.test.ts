import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { expressionsBelow } from '../../../scripts/expressions/extract.mjs';
import { accepted, bounded } from '../../../scripts/expressions/reasons.mjs';
import { full } from '../../extent.ts';

/** Test timeout: processor time is measured, but on a busy machine much more wall time passes. */
const LONG = 1_800_000;
const root = join(import.meta.dirname, '..', '..', '..');

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rootbound-linear-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Returns the names of the subjects that exceed their processor time on a long text. */
async function slowOf(subjects: string, seconds?: number): Promise<string[]> {
  const feed = join(import.meta.dirname, 'feed.mjs');
  const bound = seconds === undefined ? [] : [String(seconds)];
  const length = full ? 'full' : 'short';
  const { stdout } = await promisify(execFile)(process.execPath, [feed, subjects, length, ...bound]);
  // feed.mjs prints a list of names
  return JSON.parse(stdout) as string[];
}

interface Expression {
  readonly source: string;
  readonly flags: string;
  /** whether it is sticky and is matched repeatedly until it fails */
  readonly inLoop?: boolean;
  /** maximum length of its input */
  readonly most?: number | undefined;
}

function fileOf(expressions: readonly Expression[]): string {
  const file = join(folder(), 'expressions.json');
  writeFileSync(file, JSON.stringify(expressions));
  return file;
}

test(
  'an expression that is not linear is detected by its processor time',
  async () => {
    const planted = [
      { source: String.raw`\d+$`, flags: '' },
      { source: String.raw`<a:[^>\s]*>`, flags: 'y' },
      { source: String.raw`^\d+`, flags: '' },
    ];
    const slow = await slowOf(fileOf(planted), 1);
    expect(slow.filter((name) => name.startsWith(String.raw`/\d+$/`))).not.toEqual([]);
    expect(slow.filter((name) => name.startsWith('/<a:'))).not.toEqual([]);
    expect(slow.filter((name) => name.startsWith(String.raw`/^\d+/`))).toEqual([]);
  },
  LONG,
);

test(
  'every regular expression of the sources is linear for repeated characters',
  async () => {
    const written = expressionsBelow(root).filter((found) => 'source' in found);
    const repeating = written.filter(({ source }) => /[*+{]/.test(source));
    const unique = new Map(
      repeating.map(({ source, flags }) => {
        const text = `/${source}/${flags}`;
        const most = bounded.find(([one]) => one === text)?.[1];
        return [text, { source, flags, inLoop: accepted.some(([one]) => one === text), most }];
      }),
    );
    expect(unique.size).toBeGreaterThan(300);
    for (const [text] of [...accepted, ...bounded]) expect([...unique.keys()]).toContain(text);
    expect(await slowOf(fileOf([...unique.values()]))).toEqual([]);
  },
  LONG,
);

test(
  'every parser of external text is linear for repeated characters',
  async () => {
    const made = folder();
    const bundle = await rolldown({
      input: join(import.meta.dirname, 'parsers.ts'),
      platform: 'node',
      external: ['playwright-core'],
      resolve: { conditionNames: ['rootbound-source', 'node', 'import', 'default'] },
      logLevel: 'silent',
    });
    await bundle.write({ dir: made, format: 'esm', entryFileNames: 'parsers.mjs' });
    await bundle.close();
    expect(await slowOf(pathToFileURL(join(made, 'parsers.mjs')).href)).toEqual([]);
  },
  LONG,
);
