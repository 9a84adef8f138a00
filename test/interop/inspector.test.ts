import { describe, expect } from 'vitest';
import { full } from '../extent.ts';
import { test } from './fixtures.ts';
import { metaOf, serverKey } from './message.ts';
import { handshakeInspector, newerNode, type Run, run, statelessInspector } from './programs.ts';
import { cli } from './servers.ts';
import { everyTool } from './tools.ts';
import { uriOf, type Workspace } from './workspace.ts';

interface Inspector {
  name: string;
  /** arguments before the command of the server */
  command: [string, ...string[]];
  stateless: boolean;
  /** whether only a connection and a call are tested; the other tests run in each era */
  brief?: boolean;
}

const node22 = await newerNode();

describeInspector({
  name: 'Inspector 0.22.0',
  command: [process.execPath, handshakeInspector(), '--cli'],
  stateless: false,
});

describe.skipIf(node22 === undefined)('inspector 2.12.0 needs a newer Node', () => {
  const command: [string, ...string[]] = [node22!, statelessInspector(), '--cli', '--protocol-era'];
  describeInspector({
    name: 'Inspector 2.12.0 (legacy)',
    command: [...command, 'legacy'],
    stateless: false,
    brief: !full,
  });
  describeInspector({ name: 'Inspector 2.12.0 (modern)', command: [...command, 'modern'], stateless: true });
  describeInspector({
    name: 'Inspector 2.12.0 (auto)',
    command: [...command, 'auto'],
    stateless: true,
    brief: true,
  });
});

function describeInspector({ name, command: [file, ...before], stateless, brief }: Inspector): void {
  const start = (workspace: Workspace, args: string[]): Promise<Run> =>
    run(file, [...before, process.execPath, cli, workspace.root, ...args], {
      cwd: workspace.root,
      // it stores a catalog there
      env: { ...process.env, HOME: workspace.base, USERPROFILE: workspace.base },
    });
  const inspect = async (workspace: Workspace, args: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await start(workspace, args);
    if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  describe.concurrent(name, () => {
    test(`${name} lists every tool`, async ({ workspace }) => {
      const { tools } = await inspect(workspace, ['--method', 'tools/list']);
      const names = (tools as { name: string }[]).map((tool) => tool.name);
      expect(names).toEqual(everyTool(workspace).map((call) => call.name));
    });

    test(`${name} calls a tool`, async ({ workspace }) => {
      const tool = ['--method', 'tools/call', '--tool-name', 'read_text_file'];
      const result = await inspect(workspace, [...tool, '--tool-arg', `path=${workspace.notes}`]);
      expect(result).toMatchObject({
        content: [{ type: 'text', text: 'alpha\nbeta\n' }],
        structuredContent: { text: 'alpha\nbeta\n', totalLines: 2 },
      });
      // only results of the stateless era have the server's name
      expect(metaOf(result)[serverKey] !== undefined).toBe(stateless);
    });

    test(`${name} declares roots, and the roots of the arguments apply`, async ({ workspace }) => {
      const tool = ['--method', 'tools/call', '--tool-name', 'list_allowed_directories'];
      const result = await inspect(workspace, tool);
      expect(result).toMatchObject({ structuredContent: { roots: [{ path: workspace.root }] } });
    });

    if (brief) return;

    test(`${name} lists the root`, async ({ workspace }) => {
      const result = await inspect(workspace, ['--method', 'resources/list']);
      const { resources } = result as { resources: unknown[] };
      expect(resources[0]).toMatchObject({ uri: uriOf(workspace.root) });
    });

    test(`${name} reads a file as a resource`, async ({ workspace }) => {
      const uri = uriOf(workspace.notes);
      const result = await inspect(workspace, ['--method', 'resources/read', '--uri', uri]);
      expect(result).toMatchObject({ contents: [{ uri, text: 'alpha\nbeta\n' }] });
    });

    test(`${name} gets the prompt`, async ({ workspace }) => {
      const prompt = ['--method', 'prompts/get', '--prompt-name', 'explore'];
      const result = await inspect(workspace, [...prompt, '--prompt-args', `path=${workspace.inner}`]);
      expect(result).toMatchObject({ messages: [{ role: 'user', content: { type: 'text' } }] });
      expect(JSON.stringify(result)).toContain(workspace.inner);
    });
  });
}
