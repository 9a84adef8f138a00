import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from './fixtures.ts';
import type { ClientKind, Connect, Session, ToolResult } from './session.ts';
import { everyTool, everyToolOutside } from './tools.ts';
import { uriOf } from './workspace.ts';

/** Defines the tests for one client; each result has only the fields of its revision. */
export function describeClient(kind: ClientKind): void {
  const { name, revision } = kind;
  const structured = revision >= '2025-06-18';
  const stateless = revision === '2026-07-28';
  const at = `at ${revision}`;
  const open = (servers: Connect['servers'], root: string): Promise<Session> =>
    kind.connect({ servers, args: [root] });

  describe.concurrent(`${name} ${at}`, () => {
    test(`${name} gets the revision that it requests`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      await session.listTools();
      const { asked, negotiated } = session.server.transcript;
      expect(session.serverName()).toBe('rootbound-filesystem');
      if (stateless) {
        expect(negotiated).toBeUndefined();
        expect(session.server.transcript.methods()).not.toContain('initialize');
      } else {
        const hello = asked.find(({ method }) => method === 'initialize');
        expect([hello?.params?.protocolVersion, negotiated]).toEqual([revision, revision]);
      }
    });

    test(`${name} lists every tool ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      const { tools } = await session.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(everyTool(workspace).map((call) => call.name));
      expect(tools.filter((tool) => tool.inputSchema.type !== 'object')).toEqual([]);
      expect(tools.filter((tool) => (tool.outputSchema !== undefined) === structured)).toHaveLength(
        tools.length,
      );
      expect(
        tools.filter((tool) => (tool.annotations !== undefined) === revision > '2024-11-05'),
      ).toHaveLength(tools.length);
    });

    test(`${name} reads a file ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      await session.listTools();
      const result = await session.callTool('read_text_file', { path: workspace.notes });
      expect(result.isError ?? false).toBe(false);
      expect(textOf(result)).toBe('alpha\nbeta\n');
      if (!structured) expect(result).not.toHaveProperty('structuredContent');
      else
        expect(result.structuredContent).toMatchObject({
          path: workspace.notes,
          text: 'alpha\nbeta\n',
          totalLines: 2,
          truncated: false,
        });
    });

    test(`${name} calls every tool and accepts its results ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      // newer clients validate the structured half against the output schema
      await session.listTools();
      for (const { name: tool, args } of everyTool(workspace)) {
        const { isError = false, content } = await session.callTool(tool, args);
        expect([tool, isError, content.length > 0]).toEqual([tool, false, true]);
      }
    });

    test(`${name} accepts the errors of every tool ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      await session.listTools();
      for (const { name: tool, args } of everyToolOutside(workspace)) {
        expect([tool, (await session.callTool(tool, args)).isError]).toEqual([tool, true]);
      }
      expect(readdirSync(workspace.elsewhere)).toEqual(['secret.txt']);
      expect(readFileSync(workspace.secret, 'utf8')).toBe('the secret\n');
    });

    test(`${name} accepts pictures and sounds ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      const picture = await session.callTool('read_media_file', { path: workspace.picture });
      const sound = await session.callTool('read_media_file', { path: workspace.sound });
      expect(picture.content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' });
      expect(sound.content[0]!.type).toBe(revision === '2024-11-05' ? 'resource' : 'audio');
    });

    test(`${name} writes a file ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      const path = join(workspace.root, 'new.txt');
      const result = await session.callTool('write_file', { path, content: 'größer\n' });
      expect(result.isError ?? false).toBe(false);
      expect(readFileSync(path, 'utf8')).toBe('größer\n');
    });

    test(`${name} edits a file ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      const result = await session.callTool('edit_file', {
        path: workspace.notes,
        edits: [{ oldText: 'beta', newText: 'gamma' }],
      });
      expect(textOf(result)).toContain('+gamma');
      expect(readFileSync(workspace.notes, 'utf8')).toBe('alpha\ngamma\n');
    });

    test(`${name} gets the same error for a file outside and for a missing one ${at}`, async ({
      servers,
      workspace,
    }) => {
      const session = await open(servers, workspace.root);
      // older clients validate structured content even of a failed call, once they know the schema
      await session.listTools();
      const missing = join(workspace.elsewhere, 'missing.txt');
      const secret = await session.callTool('read_text_file', { path: workspace.secret });
      const none = await session.callTool('read_text_file', { path: missing });
      expect([secret.isError, none.isError]).toEqual([true, true]);
      expect(textOf(secret)).not.toContain('the secret');
      expect(textOf(secret).replace(workspace.secret, '')).toBe(textOf(none).replace(missing, ''));
    });

    test(`${name} gets an error for an unknown tool, and the session continues ${at}`, async ({
      servers,
      workspace,
    }) => {
      const session = await open(servers, workspace.root);
      await expect(session.callTool('no_such_tool', {})).rejects.toMatchObject({ code: -32602 });
      expect(textOf(await session.callTool('read_text_file', { path: workspace.notes }))).toBe(
        'alpha\nbeta\n',
      );
    });

    test(`${name} gets an error that names the invalid argument ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      const call = session.callTool('read_text_file', { path: workspace.notes, head: 'two' });
      const words = await call.then(textOf, (error: Error) => error.message);
      expect(words).toContain('head');
    });

    test(`${name} lists the root with its entries and reads files and folders as resources ${at}`, async ({
      servers,
      workspace,
    }) => {
      const session = await open(servers, workspace.root);
      const { resources } = await session.listResources();
      expect(resources).toMatchObject([
        { uri: uriOf(workspace.root), mimeType: 'inode/directory' },
        { uri: uriOf(workspace.inner), mimeType: 'inode/directory' },
        { uri: uriOf(workspace.notes), mimeType: 'text/plain' },
      ]);
      const { resourceTemplates } = await session.listTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: 'file:///{+path}' }]);
      const uri = uriOf(workspace.notes);
      const file = await session.readResource(uri);
      expect(file.contents).toMatchObject([{ uri, mimeType: 'text/plain', text: 'alpha\nbeta\n' }]);
      const folder = await session.readResource(uriOf(workspace.root));
      expect(folder.contents).toMatchObject([{ mimeType: 'inode/directory' }]);
      expect(folder.contents[0]!.text?.split('\n')).toEqual([`${uriOf(workspace.inner)}/`, uri]);
    });

    test(`${name} gets an error for a resource outside ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      await expect(session.readResource(uriOf(workspace.secret))).rejects.toThrow();
      // checked in the transcript: one of the clients replaces the error code by that of the other era
      expect(session.server.transcript.received.at(-1)?.error?.code).toBe(stateless ? -32602 : -32002);
    });

    test(`${name} gets a prompt ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      const { prompts } = await session.listPrompts();
      expect(prompts.map((prompt) => prompt.name)).toContain('explore');
      const { messages } = await session.getPrompt('explore', { path: workspace.inner });
      expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
      expect(messages[0]!.content.text).toContain(workspace.inner);
    });

    test(`${name} completes paths ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      const typed = join(workspace.root, 'no');
      expect(await session.completePrompt('explore', 'path', typed)).toEqual([workspace.notes]);
      const uriPath = uriOf(typed).slice('file:///'.length);
      const found = await session.completeTemplate('file:///{+path}', 'path', uriPath);
      expect(found).toEqual([uriOf(workspace.notes).slice('file:///'.length)]);
      expect(await session.completePrompt('explore', 'path', join(workspace.elsewhere, 's'))).toEqual([]);
    });

    test(`${name} is notified of a change, and of none after it has unsubscribed ${at}`, async ({
      servers,
      workspace,
    }) => {
      const session = await open(servers, workspace.root);
      const updates = updatesOf(session);
      const notes = await session.watch(uriOf(workspace.notes));
      writeFileSync(workspace.notes, 'changed\n');
      expect(await updates.next()).toBe(uriOf(workspace.notes));
      await notes.stop();
      const fence = join(workspace.root, 'fence.txt');
      await session.watch(uriOf(fence));
      const before = updates.all.length;
      writeFileSync(workspace.notes, 'changed again\n');
      writeFileSync(fence, 'made after it was subscribed to\n');
      await updates.until(uriOf(fence));
      expect(new Set(updates.all.slice(before))).toEqual(new Set([uriOf(fence)]));
    });

    test(`${name} receives the progress of a call ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      // counting its lines takes minutes, so the call is cancelled after some progress
      const size = 2 ** 40;
      const path = workspace.holes('endless.txt', size);
      const controller = new AbortController();
      const seen: { progress: number; total?: number | undefined }[] = [];
      const onprogress = (progress: (typeof seen)[number]): void => {
        if (seen.push(progress) === 3) controller.abort('enough');
      };
      const options = { signal: controller.signal, onprogress };
      await expect(
        session.callTool('read_text_file', { path, startLine: 30_000 }, options),
      ).rejects.toThrow();
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.map(({ total }) => total)).toEqual(seen.map(() => size));
      const values = seen.map(({ progress }) => progress);
      expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    });

    test(`${name} cancels a call, and the session continues ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      // counting its lines takes minutes
      const path = workspace.holes('endless.txt', 2 ** 40);
      const controller = new AbortController();
      const options = { signal: controller.signal, onprogress: () => controller.abort('enough') };
      await expect(
        session.callTool('read_text_file', { path, startLine: 30_000 }, options),
      ).rejects.toThrow();
      await released(session.server.pid, path);
      expect(textOf(await session.callTool('read_text_file', { path: workspace.notes }))).toBe(
        'alpha\nbeta\n',
      );
      const { asked, received } = session.server.transcript;
      const cancelled = asked.find(({ method }) => method === 'notifications/cancelled');
      const { requestId } = cancelled!.params!;
      expect(requestId).toBe(asked.find(({ method }) => method === 'tools/call')!.id);
      expect(received.filter(({ id }) => id === requestId)).toEqual([]);
    });

    test(`${name} closes and no process is left ${at}`, async ({ servers, workspace }) => {
      const session = await open(servers, workspace.root);
      // a search has started worker threads, a watch holds handles
      await session.callTool('search_content', { path: workspace.root, pattern: 'alpha' });
      await session.watch(uriOf(workspace.notes));
      await session.close();
      for (const server of servers.all) expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(servers.all.filter(({ pid }) => isAlive(pid))).toEqual([]);
    });

    if (stateless) describeStatelessRoots(kind);
    else describeHandshake(kind);
  });
}

function describeHandshake(kind: ClientKind): void {
  const { name, revision } = kind;
  const at = `at ${revision}`;

  test(`${name} sets the level of logging ${at}`, async ({ servers, workspace }) => {
    const session = await kind.connect({ servers, args: [workspace.root] });
    await session.setLevel('debug');
    expect(session.server.transcript.methods()).toContain('logging/setLevel');
  });

  test(`${name} is not asked for roots that it does not offer ${at}`, async ({ servers, workspace }) => {
    const session = await kind.connect({ servers, args: [workspace.root] });
    const listed = await session.callTool('list_allowed_directories', {});
    expect(textOf(listed)).toContain('the client offers no roots');
    expect(session.server.transcript.received.filter(({ method }) => method === 'roots/list')).toEqual([]);
  });

  test(`${name} narrows the root by its own ${at}`, async ({ servers, workspace }) => {
    const roots = () => [{ uri: uriOf(workspace.inner), name: 'inner' }];
    const session = await kind.connect({ servers, args: [workspace.root], roots });
    const listed = textOf(await session.callTool('list_allowed_directories', {}));
    expect(listed.split('\n')).toContain(workspace.inner);
    expect(listed.split('\n')).not.toContain(workspace.root);
    const inside = await session.callTool('read_text_file', { path: workspace.inside });
    const outside = await session.callTool('read_text_file', { path: workspace.notes });
    expect([inside.isError ?? false, outside.isError]).toEqual([false, true]);
  });

  test(`${name} takes back a root, and its next call is refused, ${at}`, async ({ servers, workspace }) => {
    let roots = [{ uri: uriOf(workspace.inner) }];
    const session = await kind.connect({ servers, args: [workspace.root], roots: () => roots });
    const listChanged = new Promise<void>((resolve) => session.onResourceListChanged(resolve));
    const before = await session.callTool('read_text_file', { path: workspace.inside });
    roots = [];
    await session.sendRootsListChanged();
    const after = await session.callTool('read_text_file', { path: workspace.inside });
    expect([before.isError ?? false, after.isError]).toEqual([false, true]);
    await listChanged;
  });

  test(`${name} hears no more of a file that it took from its roots ${at}`, async ({
    servers,
    workspace,
  }) => {
    let roots = [{ uri: uriOf(workspace.inner) }, { uri: uriOf(workspace.root) }];
    const session = await kind.connect({ servers, args: [workspace.root], roots: () => roots });
    const updates = updatesOf(session);
    await session.watch(uriOf(workspace.notes));
    await session.watch(uriOf(workspace.inside));
    roots = [{ uri: uriOf(workspace.inner) }];
    await session.sendRootsListChanged();
    await session.callTool('list_allowed_directories', {});
    writeFileSync(workspace.notes, 'not for you\n');
    writeFileSync(workspace.inside, 'for you\n');
    await updates.until(uriOf(workspace.inside));
    expect(updates.all).not.toContain(uriOf(workspace.notes));
  });

  test(`${name} with an empty list of roots keeps the arguments in force ${at}`, async ({
    servers,
    workspace,
  }) => {
    const session = await kind.connect({ servers, args: [workspace.root], roots: () => [] });
    const listed = textOf(await session.callTool('list_allowed_directories', {}));
    expect(listed.split('\n')).toContain(workspace.root);
    expect(listed).toContain('the client offers an empty list of roots');
    await session.server.transcript.until(({ method }) => method === 'roots/list');
  });

  test(`${name} with its roots elsewhere keeps the arguments in force ${at}`, async ({
    servers,
    workspace,
  }) => {
    const roots = () => [{ uri: uriOf(workspace.elsewhere) }];
    const session = await kind.connect({ servers, args: [workspace.root], roots });
    const listed = textOf(await session.callTool('list_allowed_directories', {}));
    expect(listed.split('\n')).toContain(workspace.root);
    const secret = await session.callTool('read_text_file', { path: workspace.secret });
    expect(secret.isError).toBe(true);
  });

  test(`${name} gives the roots of a server without arguments ${at}`, async ({ servers, workspace }) => {
    const roots = () => [{ uri: uriOf(workspace.inner) }];
    const session = await kind.connect({ servers, args: [], roots });
    const inside = await session.callTool('read_text_file', { path: workspace.inside });
    const outside = await session.callTool('read_text_file', { path: workspace.notes });
    expect([textOf(inside), outside.isError]).toEqual(['inside\n', true]);
  });
}

function describeStatelessRoots(kind: ClientKind): void {
  const { name, revision } = kind;
  const at = `at ${revision}`;

  test(`${name} is not asked for roots while the arguments name them ${at}`, async ({
    servers,
    workspace,
  }) => {
    const roots = () => [{ uri: uriOf(workspace.inner) }];
    const session = await kind.connect({ servers, args: [workspace.root], roots });
    const listed = textOf(await session.callTool('list_allowed_directories', {}));
    expect(listed.split('\n')).toContain(workspace.root);
    expect(
      session.server.transcript.received.filter(({ result }) => result?.resultType !== 'complete'),
    ).toEqual([]);
  });

  test.for([
    { args: [], policy: 'no arguments' },
    { args: ['--client-roots', 'strict'], policy: 'strict roots' },
  ])(
    `${name} is asked for its roots by a server with $policy ${at}`,
    async ({ args, policy }, { servers, workspace }) => {
      const roots = () => [{ uri: uriOf(workspace.inner) }];
      const own = policy === 'strict roots' ? [workspace.root] : [];
      const session = await kind.connect({ servers, args: [...args, ...own], roots });
      const inside = await session.callTool('read_text_file', { path: workspace.inside });
      const outside = await session.callTool('read_text_file', { path: workspace.notes });
      expect([textOf(inside), outside.isError]).toEqual(['inside\n', true]);
      const { received } = session.server.transcript;
      expect(received.filter(({ result }) => result?.resultType === 'input_required')).toHaveLength(2);
    },
  );
}

function textOf({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}

/** The URIs of the updates that a client is told of. */
function updatesOf(session: Session): {
  all: string[];
  next(): Promise<string>;
  until(uri: string): Promise<void>;
} {
  const all: string[] = [];
  let read = 0;
  let wake = (): void => {};
  session.onUpdated((uri) => {
    all.push(uri);
    wake();
  });
  const next = async (): Promise<string> => {
    while (read === all.length) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return all[read++]!;
  };
  return {
    all,
    next,
    async until(uri) {
      while ((await next()) !== uri);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // there is no such process
  }
}

/** Resolves when a process no longer has a file open; where the system does not tell, at once. */
async function released(pid: number, path: string): Promise<void> {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return;
  while (readdirSync(folder).some((fd) => targetOf(join(folder, fd)) === path)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // closed since the folder was read
  }
}
