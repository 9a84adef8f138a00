import { kindOf, showPath, statEntry } from '@rootbound/kit/boundary';
import { textTypeOfName } from '@rootbound/kit/media';
import { type CallContext, type PromptMessage, ToolError } from '@rootbound/protocol';
import { uriOf } from '../text/link.ts';
import { readLines } from '../text/read.ts';
import type { ReadText } from '../text/read-text.ts';
import type { Offers, Workspace } from '../workspace.ts';
import { badArgument, readArguments } from './arguments.ts';

/** Asks the model to explain a file, with its text as far as that fits the limit of a result. */
export async function explainFile(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
  offers: Offers,
): Promise<PromptMessage[]> {
  const { maxOutput } = context.scope;
  const { path, question } = readArguments(args, ['path', 'question'], maxOutput);
  if (path === undefined) throw badArgument('path is blank', 'name the file');
  const uri = fileUriOf(path, context.scope);
  const messages = (cut: Cut | undefined, text: string): PromptMessage[] => [
    { role: 'user', content: { type: 'text', text: wordsFor({ path, question, cut }, offers) } },
    { role: 'user', content: { type: 'resource', resource: { uri, mimeType: textTypeOfName(uri), text } } },
  ];
  const around = Buffer.byteLength(JSON.stringify(messages(longest, '')));
  if (around > maxOutput) throw badArgument('path is too long', 'raise --max-output');
  const read = await readLines(context.scope, path, { kind: 'all' }, maxOutput - around, context);
  return messages(read.complete ? undefined : cutOf(read), String(read.text));
}

/** Where the text was cut and goes on, and how large the file is. */
interface Cut {
  readonly line: number;
  readonly next: number;
  readonly size: number;
}

const most = Number.MAX_SAFE_INTEGER;
const longest: Cut = { line: most, next: most, size: most };

function cutOf({ endLine = 0, text, file }: ReadText): Cut {
  const next = text.endsWithNewline ? endLine + 1 : endLine;
  return { line: endLine, next: Math.max(1, next), size: file.stat.size };
}

function fileUriOf(path: string, { scope }: Workspace): string {
  const seen = statEntry(scope, path);
  const file = seen.target ?? seen;
  if (kindOf(file.stat) === 'directory')
    throw new ToolError(`not a file: ${showPath(path)}`, {
      code: 'not-a-file',
      hint: 'the prompt explore is for folders',
    });
  return uriOf(file);
}

interface Asked {
  readonly path: string;
  readonly question: string | undefined;
  readonly cut: Cut | undefined;
}

function wordsFor({ path, question, cut }: Asked, offers: Offers): string {
  return [
    `Explain the file ${showPath(path)}. ${partNote(cut, offers)}`,
    question === undefined
      ? 'Say what it is for, how it works step by step, what it depends on and what depends on it, and what is surprising in it; name the lines.'
      : `Answer, with the lines that show it: ${question}`,
    ...(offers('search_content') ? ['search_content finds where its names are used elsewhere.'] : []),
  ].join('\n');
}

function partNote(cut: Cut | undefined, offers: Offers): string {
  if (cut === undefined) return 'Its text follows.';
  const part = `Its text up to line ${cut.line} follows, of ${cut.size} bytes`;
  if (!offers('read_text_file')) return `${part}; say so, for the rest is not known.`;
  return `${part}; read_text_file with startLine ${cut.next} gives the rest.`;
}
