import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canMount } from '../system/mounts.ts';
import { complaints, Patients } from './program.ts';

const patients = new Patients();
const isLinux = process.platform === 'linux';
const names = ['filesystem', 'git', 'sqlite', 'fetch'];

/** Returns whether a command that sets up a condition works on this machine. */
function works(...under: readonly string[]): boolean {
  const [program, ...rest] = [...under, 'true'];
  return isLinux && spawnSync(program, rest).status === 0;
}

const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const fewFiles = ['prlimit', '--nofile=512:512'];
const limited = (setting: string, most: number): string[] => [
  'unshare',
  '-Ur',
  '/bin/sh',
  '-c',
  `echo ${most} > /proc/sys/user/${setting} && exec "$0" "$@"`,
];
/** The command that runs a program with a folder mounted read-only. */
const unwritable = (folder: string): string[] => [
  'unshare',
  '-m',
  '/bin/sh',
  '-c',
  `mount -t tmpfs -o ro tmpfs ${folder} && exec "$0" "$@"`,
];

describe.each(names)('server-%s', (server) => {
  test('passes every check in its own folder, and leaves nothing there', async () => {
    const report = await patients.examine(server, [patients.folder]);
    expect([report.code, complaints(report)]).toEqual([0, []]);
    expect(report.lines).toEqual(
      expect.arrayContaining([
        `ok   node ${process.versions.node}, of 20.19 or newer`,
        `ok   server-${server} 0.0.0 on ${process.platform} ${process.arch}`,
        expect.stringMatching(/^ok {3}root .*, readable and writable/),
      ]),
    );
    expect(readdirSync(patients.folder)).toEqual([]);
  });

  test('exits with 1 for a missing root, and names the fix', async () => {
    const missing = join(patients.folder, 'missing');
    const report = await patients.examine(server, [missing]);
    expect([report.code, complaints(report)[0]]).toEqual([
      1,
      `fail root ${missing} does not exist: create it or correct the path`,
    ]);
  });

  test('prints the same checks as one JSON object with --json', async () => {
    const missing = join(patients.folder, 'missing');
    const { code, lines } = await patients.examine(server, ['--json', missing]);
    expect([code, JSON.parse(lines.join('\n'))]).toEqual([
      1,
      {
        server,
        version: '0.0.0',
        well: false,
        checks: expect.arrayContaining([
          { state: 'fail', what: `root ${missing} does not exist`, fix: 'create it or correct the path' },
          expect.objectContaining({ state: 'ok' }),
        ]),
      },
    ]);
  });
});

test('a file in place of a folder fails, with the fix', async () => {
  const file = join(patients.folder, 'file');
  writeFileSync(file, '');
  const report = await patients.examine('filesystem', [file]);
  expect([report.code, complaints(report)]).toEqual([
    1,
    [`fail root ${file} is not a directory: name the directory that holds it`],
  ]);
});

test.runIf(works(...asNobody))('a root that this user may not enter or change is reported', async () => {
  const [closed, fixed] = ['closed', 'fixed'].map((name) => join(patients.folder, name)) as [string, string];
  mkdirSync(closed, { mode: 0o700 });
  mkdirSync(fixed, { mode: 0o755 });
  chmodSync(patients.folder, 0o755);
  const report = await patients.examine('filesystem', [closed, fixed], { under: asNobody });
  expect([report.code, complaints(report)]).toEqual([
    1,
    [
      `fail root ${closed} cannot be read: give this user the right to read it`,
      expect.stringMatching(`^warn root ${fixed} cannot be written.*: end it in :ro, or give this user`),
    ],
  ]);
});

test.runIf(canMount() && process.getuid?.() === 0)(
  'a root on a read-only file system is reported as not writable',
  async () => {
    const report = await patients.examine('filesystem', [patients.folder], {
      under: unwritable(patients.folder),
    });
    expect([report.code, complaints(report)]).toEqual([
      0,
      [
        `warn root ${patients.folder} cannot be written, on tmpfs: end it in :ro, or give this user the right to write`,
      ],
    ]);
  },
);

test('a nested root, and one folder under two names, are reported with their access', async () => {
  const inner = join(patients.folder, 'inner');
  const link = join(patients.folder, 'link');
  mkdirSync(inner);
  symlinkSync(inner, link);
  const { code, lines } = await patients.examine('filesystem', [patients.folder, `${inner}:ro`, link]);
  expect([code, lines]).toEqual([
    0,
    expect.arrayContaining([
      `ok   root ${inner} lies in root ${patients.folder}: read-only there, writable around it`,
      `warn root ${link} is the same folder as root ${inner}, and read-only if one of them is: name it once`,
    ]),
  ]);
});

test.runIf(isLinux)(
  'the file system of a root is reported, and a root that is the whole machine is a warning',
  async () => {
    const { lines } = await patients.examine('filesystem', ['/:ro', '/dev/shm:ro']);
    expect(lines).toContain('ok   root /dev/shm, read-only, on tmpfs');
    expect(lines).toContain('warn root / is all of this machine: name the folder that is meant');
  },
);

describe('the address of --http', () => {
  test('is checked only if it is set, and a free port passes', async () => {
    const without = await patients.examine('git', [patients.folder]);
    const [taken, free] = [await listening(), await listening()];
    await free.close();
    const { code, lines } = await patients.examine('git', ['--http', String(free.port), patients.folder]);
    await taken.close();
    expect(without.lines.join()).not.toMatch(/\bport\b/);
    expect([code, lines]).toEqual([
      0,
      expect.arrayContaining([`ok   port ${free.port} of 127.0.0.1 is free`]),
    ]);
    const any = await patients.examine('git', ['--http', '0', patients.folder]);
    expect(any.lines).toContain('ok   a free port of 127.0.0.1 is taken at each start');
  });

  test.each(names)('of server-%s in use by another program is reported with that program', async (server) => {
    const { port, close } = await listening();
    const report = await patients.examine(server, ['--http', String(port), patients.folder]);
    await close();
    const by = isLinux ? String.raw` by .+ \(process ${process.pid}\)` : '.*';
    expect([report.code, complaints(report)]).toEqual([
      1,
      [
        expect.stringMatching(
          `^fail port ${port} of 127.0.0.1 is in use${by}: choose another, or 0 for a free one$`,
        ),
      ],
    ]);
  });

  test.runIf(works(...asNobody) && works('unshare', '-n'))('that needs root is reported', async () => {
    chmodSync(patients.folder, 0o777);
    // a new network namespace has the default first unprivileged port
    const report = await patients.examine('filesystem', ['--http', '80', patients.folder], {
      under: ['unshare', '-n', ...asNobody],
    });
    expect([report.code, complaints(report)]).toEqual([
      1,
      ['fail port 80 may not be listened on: choose one above 1023'],
    ]);
  });

  test('outside loopback is a warning for each missing protection', async () => {
    const beyond = ['--http', '0.0.0.0:0', patients.folder];
    const open = await patients.examine('filesystem', ['--no-auth', ...beyond]);
    expect([open.code, complaints(open)]).toEqual([
      0,
      [
        'warn 0.0.0.0 is beyond loopback, and HTTP is not encrypted: listen on 127.0.0.1 behind a proxy that has TLS',
        'warn anyone who reaches 0.0.0.0 may use this server: leave out --no-auth and add --auth-issuer with --auth-audience',
        'warn requests may name any host, since 0.0.0.0 is beyond loopback: name those that clients use with --allow-host',
      ],
    ]);
    const issuer = ['--auth-issuer', 'https://me:hidden-value@login.example/x'];
    const audience = ['--auth-audience', 'https://files.example', '--allow-host', 'files.example'];
    const kept = await patients.examine('filesystem', [...issuer, ...audience, ...beyond]);
    expect(complaints(kept)).toHaveLength(1);
    expect(kept.lines).toContain('ok   tokens of https://login.example for https://files.example let in');
    expect(kept.lines.join()).not.toContain('hidden-value');
  });

  test('with a missing key file fails', async () => {
    const keys = join(patients.folder, 'keys.json');
    const auth = ['--auth-issuer', 'https://login.example', '--auth-audience', 'https://files.example'];
    const given = [...auth, '--auth-jwks', keys, '--http', '0', patients.folder];
    const report = await patients.examine('filesystem', given);
    expect([report.code, complaints(report)]).toEqual([
      1,
      [
        `fail --auth-jwks names ${keys}, which cannot be read: correct the path, or leave it out to ask the issuer`,
      ],
    ]);
    writeFileSync(keys, '{"keys":[]}');
    expect(complaints(await patients.examine('filesystem', given))).toEqual([]);
  });
});

describe('the limits of the system', () => {
  test.runIf(works(...limited('max_inotify_watches', 100)))(
    'few file watches are a warning that names the setting',
    async () => {
      const report = await patients.examine('filesystem', [patients.folder], {
        under: limited('max_inotify_watches', 100),
      });
      expect([report.code, complaints(report)]).toEqual([
        0,
        [
          'warn only 100 file watches allowed, 0 of them taken, so subscriptions to many files may fail: what is not watched is looked at in turns, 2000 paths: run sysctl user.max_inotify_watches=524288 as root',
        ],
      ]);
    },
  );

  test.runIf(works(...limited('max_inotify_instances', 2)))('few watch instances are a warning', async () => {
    const report = await patients.examine('git', [patients.folder], {
      under: limited('max_inotify_instances', 2),
    });
    expect([report.code, complaints(report)]).toEqual([
      0,
      [
        'warn 2 programs of this user may watch files, 0 do, and further ones look at each file in turns: run sysctl user.max_inotify_instances=1024 as root',
      ],
    ]);
  });

  test.runIf(works(...fewFiles))('few open files are a warning', async () => {
    const report = await patients.examine('filesystem', [patients.folder], { under: fewFiles });
    expect([report.code, complaints(report)]).toEqual([
      0,
      [
        'warn only 512 files may be open at once, so large calls may fail: raise it where the client is started: ulimit -n 4096',
      ],
    ]);
  });
});

/** Listens on a loopback port until it is closed. */
async function listening(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
