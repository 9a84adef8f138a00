import { foldedMatcher, literalMatcher, type Matcher } from './matcher.ts';
import { isAscii, toBytes } from './order.ts';
import { type ContentJob, SearchError } from './query.ts';

/** The matcher of a query; the regular expression engine is loaded only for a pattern that needs it. */
export async function compileMatcher(job: ContentJob): Promise<Matcher> {
  if (job.mode === 'literal') {
    if (!job.ignoreCase) return literalMatcher(Buffer.from(job.pattern));
    if (isAscii(job.pattern)) return foldedMatcher(toBytes(job.pattern));
  }
  const { compileRegex } = await import('./regex.ts');
  try {
    return compileRegex(job.pattern, { quoted: job.mode === 'literal', ignoreCase: job.ignoreCase });
  } catch (error) {
    // the flags in front of the pattern are ours
    const reason = (error instanceof Error ? error.message : String(error)).replace(/`\(\?\w+\)/, '`');
    throw new SearchError('pattern', `pattern is not a valid regular expression (RE2 syntax): ${reason}`);
  }
}
