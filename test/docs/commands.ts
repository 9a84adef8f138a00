import { type Block, type Document, document, documents } from './documents.ts';

/** A command line that a readme gives. */
export interface Command {
  readonly readme: string;
  /** without the comment behind it */
  readonly line: string;
  /** what a transcript has below it */
  readonly prints: string | undefined;
  /** the block that follows where it is given, if that has no commands */
  readonly shown: string | undefined;
}

const SHELLS = ['sh', 'bash', 'shell', 'console', 'zsh'];
/** What the commands within sentences begin with. */
const PROGRAMS = ['npm', 'npx', 'pnpm', 'node', 'git', 'docker', 'claude', 'code', 'codex', 'mcp-publisher'];

/** What people are told to do first: every README, that of the template as well, and how to contribute. */
export function readmes(): Document[] {
  const named = documents().filter(({ name }) => /(^|\/)(README|CONTRIBUTING)\.md$/.test(name));
  return [...named, document('packages/create-server/template/README.md')];
}

/** Every command of a readme, in blocks and in sentences, each line once. */
export function commandsOf({ name, text }: Pick<Document, 'name' | 'text'>): Command[] {
  const blocks = [...text.matchAll(/^ *```(\w*)[ \t]*(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language, info, body]): Block => ({ language: language!, info: info!, text: body! }),
  );
  const fenced = blocks.flatMap((block, at) => {
    if (!SHELLS.includes(block.language)) return [];
    const next = blocks[at + 1];
    const shown = next === undefined || SHELLS.includes(next.language) ? undefined : next.text;
    return linesOf(block).map((one) => ({ readme: name, shown, ...one }));
  });
  const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
  const spoken = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, line]) => line!)
    .filter((line) => PROGRAMS.some((program) => line.startsWith(`${program} `)))
    .map((line) => ({ readme: name, line, prints: undefined, shown: undefined }));
  return [...fenced, ...spoken].filter(
    ({ line }, at, all) => all.findIndex((one) => one.line === line) === at,
  );
}

/** The lines of a block of commands; in a transcript they begin with a dollar sign. */
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
