import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { type Entry, type Export, entries, examplesIn, exportsOf, specifierOf } from './exports.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** One example as a module. */
export interface Example {
  /** the export of the example, such as `index.tool` */
  name: string;
  code: string;
}

/** Names that examples may use without an import, besides everything that the entries export. */
const atHand = ['client', 'server', 'transport'] as const;

/** Returns the examples of every entry as modules, with imports for names that they do not declare. */
export function allExamples(): Example[] {
  const offered = entries.flatMap((entry) => exportsOf(entry));
  const seen = new Set<string>();
  return offered.flatMap((one) => {
    // a declaration that several entries export is run once
    if (seen.has(`${one.file} ${one.name}`)) return [];
    seen.add(`${one.file} ${one.name}`);
    return examplesIn(one).map((example, index) => ({
      name: `${one.entry}.${one.name}${index === 0 ? '' : `-${index + 1}`}`,
      code: moduleOf(example, one.entry, offered),
    }));
  });
}

function moduleOf(example: string, entry: Entry, offered: readonly Export[]): string {
  const checked = example.replace(
    /^([ \t]*)(.+?);[ \t]*\/\/ => (.+)$/gm,
    (_line, space: string, actual: string, expected: string) => `${space}is(${actual}, ${expected});`,
  );
  const words = new Set(bare(checked).match(/(?<![.\w$])[A-Za-z_$][\w$]*/g) ?? []);
  const declared = new Set(
    [
      ...checked.matchAll(
        /\b(?:const|let|class|function|interface|type|import)\s+(?:\{([^}]*)\}|(?:\* as )?(\w+))/g,
      ),
    ].flatMap(([, list, name]) =>
      list === undefined
        ? [name!]
        : list.split(',').map((item) =>
            item
              .replace(/^.*(?:[:]| as )/, '')
              .replace(/^\s*type /, '')
              .trim(),
          ),
    ),
  );
  const free = [...words].filter((word) => !declared.has(word));
  const imports = new Map<string, string[]>();
  for (const word of free) {
    const from = offered.filter(({ name }) => name === word);
    const best = from.find((one) => one.entry === entry) ?? from[0];
    if (best === undefined) continue;
    const specifier = specifierOf(best.entry);
    imports.set(specifier, [...(imports.get(specifier) ?? []), best.isType ? `type ${word}` : word]);
  }
  const helpers = atHand.filter((word) => free.includes(word));
  return [
    ...[...imports].map(([specifier, names]) => `import { ${names.join(', ')} } from '${specifier}';`),
    ...(free.includes('z') ? ["import * as z from 'zod';"] : []),
    ...(helpers.length > 0 ? [`import { ${helpers.join(', ')} } from '../prelude.ts';`] : []),
    ...(checked === example ? [] : ["import { deepStrictEqual as is } from 'node:assert';"]),
    checked,
    'export {};',
    '',
  ].join('\n');
}

/** Returns code without strings and comments. */
function bare(code: string): string {
  return code.replace(/\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gm, "''");
}

/** Examples in a folder in which they can be checked and run. */
export class Workshop {
  readonly folder = mkdtempSync(join(import.meta.dirname, '.examples-'));
  readonly #examples: readonly Example[];

  constructor(examples: readonly Example[]) {
    this.#examples = examples;
    for (const [index, { code }] of examples.entries()) writeFileSync(this.#source(index), code);
  }

  /** Returns the errors of the compiler in the examples, one line per error. */
  typeFaults(): string[] {
    const config = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { noEmit: true, noUnusedLocals: false, noUnusedParameters: false },
      include: ['*.ts'],
    };
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '--pretty', 'false', '-p', this.folder], {
      cwd: this.folder,
      encoding: 'utf8',
    });
    const faults = stdout.split('\n').filter((line) => line !== '');
    return faults.map((line) =>
      line.replace(/^e(\d+)\.ts/, (_file, index) => this.#examples[Number(index)]!.name),
    );
  }

  /** Makes a program of each example. */
  async build(): Promise<void> {
    const bundle = await rolldown({
      input: Object.fromEntries(
        this.#examples.map((_example, index) => [fileOf(index), this.#source(index)]),
      ),
      platform: 'node',
      external: ['jose', 'ws'],
      resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
      plugins: [fromHere],
      logLevel: 'silent',
    });
    await bundle.write({
      dir: join(this.folder, 'built'),
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunk-[hash].mjs',
    });
    await bundle.close();
  }

  pathOf(name: string): string {
    const index = this.#examples.findIndex((example) => example.name === name);
    return join(this.folder, 'built', `${fileOf(index)}.mjs`);
  }

  #source(index: number): string {
    return join(this.folder, `${fileOf(index)}.ts`);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns a file name with a number, since names may differ only in their case. */
function fileOf(index: number): string {
  return `e${index}`;
}

/** Examples import the package by its name, as users do. */
const fromHere: Plugin = {
  name: 'rootbound-surface',
  resolveId(source) {
    const entry = entries.find((one) => specifierOf(one) === source);
    return entry === undefined ? undefined : join(root, 'packages', 'protocol', 'src', `${entry}.ts`);
  },
};
