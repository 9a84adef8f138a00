/** The insights as a memo that can be read on its own. */
export function memoOf(insights: readonly string[]): string {
  if (insights.length === 0) return 'No insights yet: append_insight adds what an analysis has shown.\n';
  const found = insights.length === 1 ? 'one finding' : `${insights.length} findings`;
  return `Business intelligence memo: ${found} from the databases, the oldest first.\n\n${insights
    .map((insight) => `- ${insight.replace(/(?<!\s)\s*\n\s*/g, '\n  ')}\n`)
    .join('')}`;
}
