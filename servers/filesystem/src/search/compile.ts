import { foldedMatcher, literalMatcher, type Matcher } from './matcher.ts';
import { isAscii, toBytes } from './order.ts';
import { type ContentJob, SearchError } from './query.ts';
import { wholeWords } from './whole-words.ts';

/** The matcher of a query; the regular expression engine is loaded only for a pattern that needs it. */
export async function compileMatcher(job: ContentJob): Promise<Matcher> {
  const bytes = plainMatcher(job);
  if (bytes !== undefined) return job.wholeWord ? wholeWords(bytes, Buffer.byteLength(job.pattern)) : bytes;
  const { compileRegex } = await import('./regex.ts');
  try {
    return compileRegex(job.pattern, {
      quoted: job.mode === 'literal',
      ignoreCase: job.ignoreCase,
      wholeWord: job.wholeWord,
    });
  } catch (error) {
    // the flags in front of the pattern are ours
    const reason = (error instanceof Error ? error.message : String(error)).replace(/`\(\?\w+\)/, '`');
    throw new SearchError('pattern', `pattern is not a valid regular expression (RE2 syntax): ${reason}`);
  }
}

/** The matcher of a plain text that needs no engine. */
function plainMatcher({ mode, pattern, ignoreCase, multiline }: ContentJob): Matcher | undefined {
  if (mode !== 'literal' || multiline) return undefined;
  if (!ignoreCase) return literalMatcher(Buffer.from(pattern));
  return isAscii(pattern) ? foldedMatcher(toBytes(pattern)) : undefined;
}
