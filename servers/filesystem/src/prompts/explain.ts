import { kindOf, showPath, statEntry } from '@rootbound/kit/boundary';
import { textTypeOfName } from '@rootbound/kit/media';
import { type CallContext, type PromptMessage, ToolError } from '@rootbound/protocol';
import { uriOf } from '../text/link.ts';
import { readLines } from '../text/read.ts';
import type { ReadText } from '../text/read-text.ts';
import type { Offers, Workspace } from '../workspace.ts';
import { badArgument, readArguments } from './arguments.ts';

/** Returns messages that ask the model to explain a file, with its text up to the size limit. */
export async function explainFile(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
  offers: Offers,
): Promise<PromptMessage[]> {
  const { maxOutput } = context.scope;
  const { path, question } = readArguments(args, ['path', 'question'], maxOutput);
  if (path === undefined) throw badArgument('path is blank', 'set it to the file');
  const uri = fileUriOf(path, context.scope);
  const messages = (cut: Cut | undefined, text: string): PromptMessage[] => [
    { role: 'user', content: { type: 'text', text: promptText({ path, question, cut }, offers) } },
    { role: 'user', content: { type: 'resource', resource: { uri, mimeType: textTypeOfName(uri), text } } },
  ];
  const around = Buffer.byteLength(JSON.stringify(messages(longest, '')));
  if (around > maxOutput) throw badArgument('path is too long', 'raise --max-output');
  const read = await readLines(context.scope, path, { kind: 'all' }, maxOutput - around, context);
  return messages(read.complete ? undefined : cutOf(read), String(read.text));
}

/** The last line of a text that was cut, the line of the rest, and the size of the file. */
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
      hint: 'use the prompt explore for folders',
    });
  return uriOf(file);
}

interface PromptFacts {
  readonly path: string;
  readonly question: string | undefined;
  readonly cut: Cut | undefined;
}

function promptText({ path, question, cut }: PromptFacts, offers: Offers): string {
  return [
    `Explain the file ${showPath(path)}. ${partNote(cut, offers)}`,
    question === undefined
      ? 'Explain its purpose, how it works step by step, its dependencies, what depends on it, and anything surprising, with line numbers.'
      : `Answer this question, with the lines that prove the answer: ${question}`,
    ...(offers('search_content') ? ['Use search_content to find where its names are used elsewhere.'] : []),
  ].join('\n');
}

function partNote(cut: Cut | undefined, offers: Offers): string {
  if (cut === undefined) return 'Its text follows.';
  const part = `Its text up to line ${cut.line} follows; the file has ${cut.size} bytes`;
  if (!offers('read_text_file')) return `${part}. Mention that you have not read the rest.`;
  return `${part}. Read the rest by read_text_file with startLine ${cut.next}.`;
}
