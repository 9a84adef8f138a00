import { foldedMatcher, literalMatcher, type Matcher } from './matcher.ts';
import { isAscii, toBytes } from './order.ts';
import { type ContentJob, SearchError } from './query.ts';
import { wholeWords } from './whole-words.ts';

/** Returns the matcher of a query; the regular expression engine is loaded only if the pattern needs it. */
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
    // removes the flags that compileRegex put before the pattern
    const reason = (error instanceof Error ? error.message : String(error)).replace(/`\(\?\w+\)/, '`');
    throw new SearchError('pattern', `pattern is not a valid regular expression (RE2 syntax): ${reason}`);
  }
}

/** Returns the matcher of a literal pattern that needs no regular expression engine. */
function plainMatcher({ mode, pattern, ignoreCase, multiline }: ContentJob): Matcher | undefined {
  if (mode !== 'literal' || multiline) return undefined;
  if (!ignoreCase) return literalMatcher(Buffer.from(pattern));
  return isAscii(pattern) ? foldedMatcher(toBytes(pattern)) : undefined;
}
