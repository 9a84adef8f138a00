import { execFileSync } from 'node:child_process';
import { chmodSync, constants, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleBoundary } from './bundle.ts';
import { containments, useTree } from './tree.ts';

describe.runIf(process.platform !== 'win32').each(containments)('rights, %s', (containment) => {
  const tree = useTree();

  test('what this process may change is what the system lets it write', async () => {
    for (const [name, mode] of [
      ['open', 0o666],
      ['locked', 0o444],
    ] as const)
      chmodSync(tree.write(`root/${name}`, 'x'), mode);
    tree.write('root/folder/f', 'x');
    const script = tree.write(
      'script.mjs',
      `import { Boundary, mayChange, openDirectory, openFile } from ${JSON.stringify(await bundleBoundary(tree.top))};
      const scope = new Boundary({ roots: [{ path: ${JSON.stringify(tree.root)} }], policy: 'narrow', containment: '${containment}' }).narrowing().scope();
      const may = (handle) => { try { return mayChange(scope, handle); } finally { handle.close(); } };
      console.log(JSON.stringify([may(openFile(scope, 'open')), may(openFile(scope, 'locked')), may(openDirectory(scope, 'folder'))]));`,
    );
    chmodSync(tree.top, 0o755);
    chmodSync(join(tree.root, 'folder'), 0o555);
    // root may write everything, so another user looks, who may not reach this program where root alone has it
    const asRoot = process.getuid?.() === 0;
    const options = asRoot ? { uid: 65_534, gid: 65_534 } : {};
    const program = asRoot ? join(tree.top, 'node') : process.execPath;
    if (asRoot) copyFileSync(process.execPath, program, constants.COPYFILE_FICLONE);
    const answer: unknown = JSON.parse(execFileSync(program, [script], { encoding: 'utf8', ...options }));
    chmodSync(join(tree.root, 'folder'), 0o755);
    expect(answer).toEqual([true, false, false]);
  });
});
