import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { scratch } from './scene.ts';

/** A directory with the hub as a plain module, where chokidar can be found or cannot. */
async function program(source: string, chokidar: 'present' | 'absent'): Promise<string> {
  const directory = scratch();
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../../src/watch.ts', import.meta.url)),
    platform: 'node',
    external: ['chokidar'],
    resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
  });
  await bundle.write({ file: join(directory, 'hub.mjs'), format: 'esm' });
  await bundle.close();
  if (chokidar === 'present') {
    mkdirSync(join(directory, 'node_modules'));
    const found = dirname(fileURLToPath(import.meta.resolve('chokidar')));
    symlinkSync(found, join(directory, 'node_modules/chokidar'), 'junction');
  }
  writeFileSync(join(directory, 'main.mjs'), source);
  return join(directory, 'main.mjs');
}

async function run(command: string, args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out: out + err };
}

test('a hub without watches loads no chokidar and lets the process end', async () => {
  const main = await program(
    `import { WatchHub } from './hub.mjs';
     const hub = new WatchHub();
     console.log('made', hub.size, hub.nativeWatches);`,
    'absent',
  );
  expect(await run(process.execPath, [main])).toEqual({ code: 0, out: 'made 0 0\n' });
});

test('the first watch is what loads chokidar, and a failure to load it is the error of that watch', async () => {
  const main = await program(
    `import { WatchHub } from './hub.mjs';
     const hub = new WatchHub();
     await hub.watch(import.meta.filename, 'file', () => {}).catch((error) => console.log(error.code));
     console.log(hub.size);`,
    'absent',
  );
  expect(await run(process.execPath, [main])).toEqual({ code: 0, out: 'ERR_MODULE_NOT_FOUND\n0\n' });
});

test('a process ends by itself once its hub is closed, or nothing is watched any more', async () => {
  const main = await program(
    `import { realpathSync, writeFileSync } from 'node:fs';
     import { WatchHub } from './hub.mjs';
     const here = realpathSync(import.meta.dirname);
     for (const end of ['close', 'stop']) {
       for (const usePolling of [false, true]) {
         const hub = new WatchHub({ usePolling });
         const file = here + '/' + end + usePolling;
         let stop;
         await new Promise(async (resolve) => {
           stop = await hub.watch(file, 'missing', resolve);
           writeFileSync(file, 'here');
         });
         if (end === 'close') await hub.close();
         else stop();
       }
     }
     console.log('ended');`,
    'present',
  );
  expect(await run(process.execPath, [main])).toEqual({ code: 0, out: 'ended\n' });
});

test.skipIf(process.platform === 'win32')(
  'a path that the system has no watch left for is polled, with one line, and still heard',
  async () => {
    const main = await program(
      `import { closeSync, openSync, realpathSync, writeFileSync } from 'node:fs';
       import 'chokidar';
       import { WatchHub } from './hub.mjs';
       const here = realpathSync(import.meta.dirname);
       const lines = [];
       const hub = new WatchHub({ onError: (error) => lines.push(error.message) });
       writeFileSync(here + '/f', '');
       const held = [];
       try {
         for (;;) held.push(openSync('/dev/null'));
       } catch (error) {
         console.log(error.code);
       }
       let heard;
       const told = new Promise((resolve) => { heard = resolve; });
       await hub.watch(here + '/f', 'file', () => heard());
       await hub.watch(here + '/f', 'file', () => {});
       for (const fd of held) closeSync(fd);
       console.log(hub.nativeWatches, lines.length, lines[0].startsWith(here + '/f is polled, not watched: EMFILE'));
       writeFileSync(here + '/f', 'changed');
       await told;
       console.log('heard');
       await hub.close();`,
      'present',
    );
    const { code, out } = await run('/bin/sh', [
      '-c',
      `ulimit -n 128 && exec "${process.execPath}" "${main}"`,
    ]);
    expect({ code, out }).toEqual({ code: 0, out: 'EMFILE\n0 1 true\nheard\n' });
  },
);

const fewWatches = (most: number): string[] => [
  '-Ur',
  '/bin/sh',
  '-c',
  `echo ${most} > /proc/sys/user/max_inotify_watches && exec "$0" "$@"`,
];

/** Whether this system lets a process have a limit of watches of its own. */
function canLimitWatches(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', [...fewWatches(1), 'true']).status === 0;
}

test.runIf(canLimitWatches())(
  'what the kernel has no watches left for is polled, with one line, and all of it is heard',
  async () => {
    const main = await program(
      `import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
       import { WatchHub } from './hub.mjs';
       const here = realpathSync(import.meta.dirname);
       const lines = [];
       const hub = new WatchHub({ onError: (error) => lines.push(error.message) });
       const heard = [];
       const files = [];
       for (let n = 0; n < 20; n += 1) {
         mkdirSync(here + '/d' + n);
         files.push(here + '/d' + n + '/f');
       }
       for (const file of files) heard.push(new Promise((resolve) => void hub.watch(file, 'file', resolve)));
       for (const file of files) await hub.watch(file, 'file', () => {});
       for (const file of files) writeFileSync(file, 'here');
       await Promise.all(heard);
       console.log(hub.nativeWatches <= 8, lines.length, lines[0].includes('is polled, not watched: ENOSPC'));
       await hub.close();`,
      'present',
    );
    const ran = await run('unshare', [...fewWatches(8), process.execPath, main]);
    expect(ran).toEqual({ code: 0, out: 'true 1 true\n' });
  },
);
