import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();

/** Ways in which a submodule can be odd, and git takes it for one all the same. */
const odd = ['refs', 'objects'];

test.each(odd)(
  'a submodule whose %s is an executable file runs its filter in plain git, and nothing here',
  async (part) => {
    const { folder, git, write } = scratch();
    const marker = join(folder, 'fired');
    const root = join(folder, 'root');
    const payload = write('payload', `#!/bin/sh\n: > '${marker}'\ncat\n`, 0o755);
    git(folder, 'init', '-q', root);
    const sub = join(root, 'sub');
    git(folder, 'init', '-q', sub);
    write('root/sub/a', 'one\n');
    git(sub, 'add', 'a');
    git(sub, 'commit', '-qm', 'one');
    git(root, 'add', 'sub');
    git(root, 'commit', '-qm', 'sub');
    const id = git(sub, 'rev-parse', 'HEAD').toString();
    git(sub, 'config', 'filter.evil.clean', payload);
    write('root/sub/.gitattributes', '* filter=evil\n');
    write('root/sub/a', 'two\n');
    writeFileSync(join(sub, '.git', 'HEAD'), id);
    rmSync(join(sub, '.git', part), { recursive: true });
    writeFileSync(join(sub, '.git', part), '', { mode: 0o755 });
    git(root, 'status', { okay: [0, 128] });
    expect(existsSync(marker)).toBe(true);
    rmSync(marker, { force: true });
    const client = await served.client([root], { readOnly: true });
    const listing = { git_list: { kind: 'submodules' } };
    for (const [tool, args] of Object.entries({ git_status: {}, git_overview: {}, git_diff: {}, ...listing }))
      expect([tool, (await call(client, tool, args)).failed]).toEqual([tool, true]);
    const { text } = await call(client, 'git_status');
    expect([text.includes(`sub/.git/${part}`), existsSync(marker)]).toEqual([true, false]);
  },
);
