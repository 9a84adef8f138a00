import { execFileSync } from 'node:child_process';
import { linkSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolNames } from '../../src/spec.ts';
import { Scene } from '../harness.ts';

/** The tools that need no worker, which runs only from a bundle. */
const tools = toolNames.filter((name) => !name.startsWith('search') && name !== 'directory_tree');

const large = 'x'.repeat(1_200_000);

/** Arguments with which each tool succeeds, or fails early or late. */
function argumentsOf(tool: string, path: string): Record<string, unknown>[] {
  const from = { source: path, destination: 'to' };
  switch (tool) {
    case 'write_file':
      return [
        { path, content: 'x' },
        { path, content: large },
        { path, content: 'x', exclusive: true },
        { path, content: 'x', ifMatch: 'x' },
        { path, content: large, append: true },
        { path: `${path}/a/b`, content: 'x', createParents: true },
      ];
    case 'edit_file':
      return [
        { path, edits: [{ oldText: 'x', newText: 'y' }] },
        { path, edits: [{ oldText: 'none', newText: 'y' }], ifMatch: 'x' },
      ];
    case 'move_file':
    case 'copy_file':
      return [from, { ...from, destination: 'file' }, { source: 'file', destination: `${path}/in` }];
    case 'delete_file':
      return [{ path, ifMatch: 'x' }, { path }, { path, recursive: true }];
    case 'set_file_attributes':
      return [
        { path, mode: '644' },
        { path, modified: 'now', create: true, ifMatch: 'x' },
      ];
    case 'read_multiple_files':
      return [{ paths: [path, 'file', 'missing'] }];
    case 'list_allowed_directories':
      return [{}];
    default:
      return [{ path }];
  }
}

describe.runIf(process.platform === 'linux')('every tool', () => {
  const scene = new Scene();

  test('leaves no descriptor open, whether it succeeds or fails', async () => {
    const places = [
      'file',
      'folder',
      'missing',
      'fifo',
      'out',
      'dead',
      'hard',
      '.env',
      '../outside/file',
      '.',
    ];
    let planted = '';
    const plant = (): void => {
      if (scene.names().join() === planted) return;
      for (const name of scene.names()) rmSync(scene.at(name), { recursive: true });
      for (const name of ['file', 'folder/a/b', '.env']) scene.put(name, 'x');
      execFileSync('mkfifo', [scene.at('fifo'), scene.at('folder/fifo')]);
      symlinkSync(scene.outside, scene.at('out'));
      symlinkSync('nowhere', scene.at('dead'));
      linkSync(scene.at('file'), scene.at('hard'));
      planted = scene.names().join();
    };
    const client = await scene.client({ extra: { 'allow-delete': true, confirm: 'never' } });
    const round = async (): Promise<void> => {
      for (const tool of tools)
        for (const place of places)
          for (const args of argumentsOf(tool, place)) {
            plant();
            await client.callTool(tool, args);
          }
    };
    // workers, and folders that stay open for the next page
    await round();
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    await round();
    expect([open() - before, scene.faults]).toEqual([0, []]);
    expect(readdirSync(join(scene.top, 'outside'))).toEqual([]);
  });
});
