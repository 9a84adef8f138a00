import { resource } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

export const insightsUri = 'memo://insights';

/** The memo of what append_insight has gathered. */
export const insightsMemo = resource<Workspace>({
  uri: insightsUri,
  name: 'insights',
  title: 'Insights',
  description: 'What append_insight has gathered, as a memo',
  mimeType: 'text/plain',
  read: (_uri, { scope: { engine, owner } }) => memoOf(engine.insights.of(owner)),
});

/** The insights as a memo that can be read on its own. */
function memoOf(insights: readonly string[]): string {
  if (insights.length === 0) return 'No insights yet: append_insight adds what an analysis has shown.\n';
  const found = insights.length === 1 ? 'one finding' : `${insights.length} findings`;
  return `Business intelligence memo: ${found} from the databases, the oldest first.\n\n${insights
    .map((insight) => `- ${insight.replace(/(?<!\s)\s*\n\s*/g, '\n  ')}\n`)
    .join('')}`;
}
