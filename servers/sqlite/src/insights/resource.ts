import { resource } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

export const insightsUri = 'memo://insights';

/** The memo of insights as a resource. */
export const insightsMemo = resource<Workspace>({
  uri: insightsUri,
  name: 'insights',
  title: 'Insights',
  description: 'The insights of append_insight, as a memo',
  mimeType: 'text/plain',
  read: (_uri, { scope: { engine, owner } }) => memoOf(engine.insights.of(owner)),
});

/** Returns the insights as a readable memo. */
function memoOf(insights: readonly string[]): string {
  if (insights.length === 0) return 'No insights yet: append_insight adds findings of an analysis.\n';
  const found = insights.length === 1 ? 'one finding' : `${insights.length} findings`;
  return `Business intelligence memo: ${found} from the databases, the oldest first.\n\n${insights
    .map((insight) => `- ${insight.replace(/(?<!\s)\s*\n\s*/g, '\n  ')}\n`)
    .join('')}`;
}
