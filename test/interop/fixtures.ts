import { expect, test as plain } from 'vitest';
import { Servers } from './servers.ts';
import { Workspace } from './workspace.ts';

/** A test with files to serve, whose servers are gone after it and have said nothing that their revision has not. */
export const test = plain.extend<{ workspace: Workspace; servers: Servers }>({
  workspace: async ({ onTestFinished }, use) => {
    const workspace = new Workspace();
    onTestFinished(() => workspace.remove());
    await use(workspace);
  },
  // the files are there until their servers have ended: what is asked for last is done first
  servers: async ({ onTestFinished, workspace: _workspace }, use) => {
    const servers = new Servers();
    onTestFinished(async () => expect(await servers.end()).toEqual([]));
    await use(servers);
  },
});
