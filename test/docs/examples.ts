import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Plugin, rolldown } from 'rolldown';
import { type Block, blocksOf, type Document, root } from './documents.ts';

const INSPECTOR = 'npx -y @rootbound/protocol ';

/** A command line of a transcript and its output. */
export interface Step {
  command: string;
  prints: string;
}

/** The programs of a document, bundled in a folder of their own. */
export class Examples {
  readonly folder: string;
  readonly #programs: readonly { name: string; text: string }[];
  /** whether a transcript runs the program of the package */
  readonly #inspects: boolean;

  constructor(document: Document) {
    this.#inspects = stepsOf(document).some(({ command }) => command.startsWith(INSPECTOR));
    this.folder = mkdtempSync(join(tmpdir(), 'rootbound-examples-'));
    this.#programs = blocksOf(document).flatMap(programOf);
  }

  get names(): readonly string[] {
    return this.#programs.map(({ name }) => name);
  }

  /** Bundles each program with the sources of the packages that it imports. */
  async build(): Promise<void> {
    const sources = join(this.folder, 'sources');
    mkdirSync(sources);
    const input: Record<string, string> = {};
    for (const { name, text: code } of this.#programs) {
      const file = join(sources, name);
      writeFileSync(file, code);
      input[name.replace(/\.js$/, '')] = file;
    }
    if (this.#inspects) input.protocol = join(root, 'packages', 'protocol', 'src', 'cli.ts');
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}');
    const bundle = await rolldown({
      input,
      platform: 'node',
      resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
      plugins: [fromHere],
      logLevel: 'silent',
    });
    await bundle.write({ dir: this.folder, entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' });
    await bundle.close();
  }

  /** Runs `node program arguments`, or the program of the protocol by npx. */
  async run(command: string): Promise<{ status: number | null; printed: string }> {
    const [program, ...args] = command.replace(INSPECTOR, 'node protocol.js ').split(' ');
    if (program !== 'node') throw new Error(`examples run node alone, not ${command}`);
    const child = spawn(process.execPath, args, { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: (await ended)[0] as number | null, printed: out + err };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the command lines of a document's transcripts. */
export function stepsOf(document: Document): Step[] {
  return blocksOf(document)
    .filter(({ language }) => language === 'console')
    .flatMap(({ text: transcript }) => transcript.split(/^\$ /m).slice(1))
    .map((part) => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), prints: part.slice(end + 1) };
    });
}

function programOf({ language, info, text: code }: Block): { name: string; text: string }[] {
  const name = /^file=(\S+)$/.exec(info)?.[1];
  return language === 'js' && name !== undefined ? [{ name, text: code }] : [];
}

/** Resolves packages as for this file, whatever the folder of the importing program. */
const fromHere: Plugin = {
  name: 'rootbound-examples',
  resolveId(source, importer) {
    if (importer === undefined || !/^(@rootbound\/|zod$)/.test(source)) return undefined;
    return this.resolve(source, import.meta.filename, { skipSelf: true });
  },
};
