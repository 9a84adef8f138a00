import { resource } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { memoOf } from './memo.ts';

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
