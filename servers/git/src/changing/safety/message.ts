import { ToolError } from '@rootbound/protocol';

const trailer = /^[A-Za-z0-9][A-Za-z0-9-]*: \S.*$/;

/**
 * Returns a message as it is stored: its bytes unchanged, with a newline at the end, and trailers in the last
 * paragraph. git's own trailers command runs programs that the configuration names.
 */
export function messageOf(text: string, trailers: readonly string[] = []): string {
  if (text.trim() === '') throw invalid('message is empty');
  if (text.includes('\0') || !text.isWellFormed()) throw invalid('message is no text');
  for (const line of trailers) {
    if (!trailer.test(line) || !line.isWellFormed() || line.includes('\0'))
      throw invalid('a trailer is no line of the form "Key: value"');
  }
  const message = text.endsWith('\n') ? text : `${text}\n`;
  if (trailers.length === 0) return message;
  const body = message.trimEnd();
  const gap = endsInTrailers(body) ? '\n' : '\n\n';
  return `${body}${gap}${trailers.join('\n')}\n`;
}

/** Returns whether the last paragraph, unless it is the first, has only trailers and their continuation lines. */
function endsInTrailers(body: string): boolean {
  const paragraphs = body.split(/\r?\n[ \t]*\r?\n/);
  if (paragraphs.length < 2) return false;
  const lines = paragraphs
    .at(-1)!
    .split('\n')
    .map((line) => line.trimEnd());
  return lines.every((line, index) => trailer.test(line) || (index > 0 && /^[ \t]/.test(line)));
}

function invalid(message: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments' });
}
