import { type Block, type Document, document, documents } from './documents.ts';

/** A command line in a document. */
export interface Command {
  /** the name of its document */
  readonly page: string;
  /** without the comment after it */
  readonly line: string;
  /** its output in a transcript */
  readonly prints: string | undefined;
  /** the next block, if that has no commands */
  readonly nextBlock: string | undefined;
}

const SHELLS = ['sh', 'bash', 'shell', 'console', 'zsh'];
/** Programs whose commands are found in sentences. */
const PROGRAMS = ['npm', 'npx', 'pnpm', 'node', 'git', 'docker', 'claude', 'code', 'codex', 'mcp-publisher'];

/** Documents that name commands without telling the reader to run them. */
const DESCRIBING = /^(?:\.changeset\/|docs\/(?:architecture|security|\w+-gaps)\b)/;

/** Returns the documents whose commands are run, with the README of the template. */
export function pagesWithCommands(): Document[] {
  const pages = documents().filter(({ name }) => !DESCRIBING.test(name));
  return [...pages, document('packages/create-server/template/README.md')];
}

/** Returns every command of a document, in blocks and in sentences, each line once. */
export function commandsOf({ name, text }: Pick<Document, 'name' | 'text'>): Command[] {
  const blocks = [...text.matchAll(/^ *```(\w*)[ \t]*(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language, info, body]): Block => ({ language: language!, info: info!, text: body! }),
  );
  const fenced = blocks.flatMap((block, at) => {
    if (!SHELLS.includes(block.language)) return [];
    const next = blocks[at + 1];
    const nextBlock = next === undefined || SHELLS.includes(next.language) ? undefined : next.text;
    return linesOf(block).map((one) => ({ page: name, nextBlock, ...one }));
  });
  const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
  const spoken = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, line]) => line!)
    .filter((line) => PROGRAMS.some((program) => line.startsWith(`${program} `)))
    .map((line) => ({ page: name, line, prints: undefined, nextBlock: undefined }));
  return [...fenced, ...spoken].filter(
    ({ line }, at, all) => all.findIndex((one) => one.line === line) === at,
  );
}

/** Returns the lines of a block of commands; in a transcript they begin with a dollar sign. */
function linesOf({ language, text }: Block): Pick<Command, 'line' | 'prints'>[] {
  const whole = text.replaceAll(/\\\n\s*/g, '');
  if (language !== 'console') {
    const lines = whole.split('\n').map((line) => line.replace(/(^|\s+)#\s.*$/, '').trim());
    return lines.filter((line) => line !== '').map((line) => ({ line, prints: undefined }));
  }
  return whole
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { line: part.slice(0, end), prints: part.slice(end + 1) };
    });
}
