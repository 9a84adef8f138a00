import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '@rootbound/protocol';
import { onTestFinished } from 'vitest';
import { createFilesystem, type FilesystemOptions } from '../../../servers/filesystem/src/server.ts';
import { toolNames } from '../../../servers/filesystem/src/spec.ts';

/** Creates the filesystem server with a root, and a folder outside of it. */
export interface Files {
  server: Server;
  root: string;
  outside: string;
}

export function files(options: Partial<FilesystemOptions> = {}): Files {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'rootbound-requirements-'));
  const [root, outside] = [join(top, 'root'), join(top, 'outside')];
  mkdirSync(root);
  mkdirSync(outside);
  const filesystem = createFilesystem({
    roots: [{ path: root, readOnly: false }],
    readOnly: false,
    tools: toolNames,
    clientRoots: 'narrow',
    maxOutput: 102_400,
    ...options,
  });
  onTestFinished(async () => {
    await filesystem.close();
    rmSync(top, { recursive: true, force: true });
  });
  // the scope type is internal to the server
  return { server: filesystem.server as unknown as Server, root, outside };
}
