import { expect, test as plain } from 'vitest';
import { Servers } from './servers.ts';
import { Workspace } from './workspace.ts';

/** A test with files to serve; afterwards its servers have exited and all their messages were valid. */
export const test = plain.extend<{ workspace: Workspace; servers: Servers }>({
  workspace: async ({ onTestFinished }, use) => {
    const workspace = new Workspace();
    onTestFinished(() => workspace.remove());
    await use(workspace);
  },
  // fixtures are torn down in reverse order, so the files exist until the servers have exited
  servers: async ({ onTestFinished, workspace: _workspace }, use) => {
    const servers = new Servers();
    onTestFinished(async () => expect(await servers.end()).toEqual([]));
    await use(servers);
  },
});
