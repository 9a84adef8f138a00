import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../../src/run/command.ts';
import { hold, run, stream } from '../../src/run/run.ts';
import { cleanGit, identity, placeOf, scratch } from '../scratch.ts';
import { busyFor, busyUntilDead, fakeGit, witness } from './fake.ts';

/** A shell that starts one that starts one, and waits. */
const family = (each: string): string =>
  `sh -c '${each} sh -c "${each} sleep 1000; :" & ${each} sleep 1000; :' & ${each} sleep 1000; :`;

test('a cancelled commit takes its sleeping hook and all that the hook has started with it', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init');
  const { hello, begun, gone } = witness(folder);
  write('.git/hooks/pre-commit', `#!/bin/sh\n${hello}\n${family('')}\n`, 0o755);
  const cancelling = new AbortController();
  const committing = run(
    cleanGit(),
    command('commit', { flags: ['--allow-empty'], options: { '--message': 'x' } }),
    {
      place: placeOf(folder),
      config: [['core.hooksPath', join(folder, '.git/hooks')]],
      environment: identity,
      signal: cancelling.signal,
    },
  );
  const outcome = expect(committing).rejects.toMatchObject({ code: 'cancelled' });
  await begun;
  cancelling.abort();
  await outcome;
  await gone;
});

test('what ignores SIGTERM is killed, to the last grandchild', async () => {
  const { folder } = scratch();
  const { hello, begun, gone } = witness(folder);
  const git = fakeGit(`${hello}\ntrap "" TERM\n${family(': ;')}`);
  const cancelling = new AbortController();
  const running = run(git, command('version'), { signal: cancelling.signal, limits: { grace: 30 } });
  const outcome = expect(running).rejects.toMatchObject({ code: 'cancelled' });
  await begun;
  cancelling.abort();
  await outcome;
  await gone;
});

test('git is asked before it is killed, so that it can remove its locks', async () => {
  const { folder } = scratch();
  const { hello, begun, gone } = witness(folder);
  // the child comes before the trap: a shell that has just forked would lose the signal
  const git = fakeGit(`sleep 1000 & trap 'echo asked > "${folder}/asked"; exit 1' TERM\n${hello}\nwait`);
  const cancelling = new AbortController();
  const running = run(git, command('version'), { signal: cancelling.signal, limits: { grace: 60_000 } });
  const outcome = expect(running).rejects.toMatchObject({ code: 'cancelled' });
  await begun;
  cancelling.abort();
  await outcome;
  await gone;
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('asked\n');
});

test('a call that was cancelled before it begins starts nothing', async () => {
  const git = fakeGit('exit 0');
  const running = run(git, command('version'), { signal: AbortSignal.abort() });
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  expect(git.argv).toThrow(/ENOENT/);
});

test.each(['idle', 'total'] as const)('what is silent longer than the %s limit is ended', async (limit) => {
  const { folder } = scratch();
  const { hello, gone } = witness(folder);
  const git = fakeGit(`${hello}\n${family('')}`);
  const running = run(git, command('version'), { limits: { [limit]: 50 } });
  await expect(running).rejects.toMatchObject({ code: 'timeout', retryable: true });
  await gone;
});

test('output holds off the idle limit and not the total one', async () => {
  const { folder } = scratch();
  const { hello, gone } = witness(folder);
  const git = fakeGit(`${hello}\nwhile :; do echo; echo >&2; sleep 0.01; done`);
  const running = run(git, command('version'), { limits: { idle: 10_000, total: 400 } });
  await expect(running).rejects.toThrow('took longer than 0.4 s');
  await gone;
});

test('more bytes than the most end what reads, and what was read is kept', async () => {
  const { folder } = scratch();
  const { hello, gone } = witness(folder);
  const git = fakeGit(`${hello}\nyes`);
  const { stdout, truncated } = await run(git, command('version'), { maxBytes: 100_001 });
  expect([stdout.length, stdout.subarray(-3).toString(), truncated]).toEqual([100_001, 'y\ny', true]);
  await gone;
});

test('as many bytes as the most are no excess', async () => {
  const { stdout, truncated } = await run(fakeGit('printf abc'), command('version'), { maxBytes: 3 });
  expect([stdout.toString(), truncated]).toEqual(['abc', false]);
});

test('a change is not cut short because it prints too much', async () => {
  const git = fakeGit(`seq 100000; echo done > "$(dirname "$0")/done"`);
  const { truncated } = await run(git, command('commit'), { maxBytes: 5 });
  expect([truncated, readFileSync(join(git.folder, 'bin/done'), 'utf8')]).toEqual([true, 'done\n']);
});

test('a daemon that holds the outputs open does not hold up the end', async () => {
  const { folder } = scratch();
  const { hello, begun, gone } = witness(folder);
  const git = fakeGit(`echo out\n(${hello}; exec setsid sleep 1000) & echo $! > "${folder}/pid"`);
  const running = run(git, command('version'), { limits: { drain: 20 } });
  await begun;
  expect((await running).stdout.toString()).toBe('out\n');
  process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
  await gone;
});

// who is dead and not waited for yet is read from /proc
test.runIf(existsSync('/proc/self/stat'))(
  'what git printed is read, though the server was busy from its end until the time to wait was over',
  async () => {
    const { folder } = scratch();
    const go = join(folder, 'go');
    const script = (lines: string) => fakeGit(`${lines}\necho printed; echo said >&2`);
    const [first, second] = [script(''), script(`until [ -e '${go}' ]; do sleep 0.01; done`)];
    const limits = { drain: 1 };
    const waiting = run(second, command('version'), { limits });
    const running = run(first, command('version'), {
      limits,
      // the end of the second is told with that of the first, before what it printed has come
      onStdout: () => {
        writeFileSync(go, '');
        busyUntilDead(second);
        setImmediate(busyFor, 20);
      },
    });
    busyUntilDead(first);
    for (const { stdout, stderr } of await Promise.all([running, waiting]))
      expect([stdout.toString(), stderr]).toEqual(['printed\n', 'said\n']);
  },
);

test('what git printed before anybody read it, and ended, is read all the same', async () => {
  const { folder } = scratch();
  const { hello, begun, gone } = witness(folder);
  const limits = { idle: 1, drain: 1 };
  const { chunks, finished } = stream(fakeGit(`echo printed\n${hello}`), command('log'), { limits });
  await begun;
  await gone;
  await new Promise(setImmediate);
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(chunk);
  expect(Buffer.concat(read).toString()).toContain('printed');
  expect(await finished).toMatchObject({ status: 0 });
});

test('a stream hands out what comes, waits for its reader, and ends with its status', async () => {
  const { chunks, finished } = stream(fakeGit('seq 200000'), command('log'), { limits: { idle: 200 } });
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  expect(Buffer.concat(parts).toString().split('\n').at(-2)).toBe('200000');
  expect(await finished).toMatchObject({ status: 0, truncated: false });
});

test('leaving the loop over a stream ends git, and is no failure', async () => {
  const { folder } = scratch();
  const { hello, gone } = witness(folder);
  const { chunks, finished } = stream(fakeGit(`${hello}\nyes`), command('log'));
  for await (const chunk of chunks) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  expect(await finished).toMatchObject({ truncated: true });
  await gone;
});

test('a stream that fails or is cancelled says so at its end', async () => {
  const failing = stream(fakeGit('echo part; exit 3'), command('log'));
  let read = '';
  for await (const chunk of failing.chunks) read += chunk.toString();
  expect(read).toBe('part\n');
  await expect(failing.finished).rejects.toMatchObject({ code: 'git-failed' });

  const cancelling = new AbortController();
  const cancelled = stream(fakeGit('echo; exec sleep 1000'), command('log'), { signal: cancelling.signal });
  for await (const _ of cancelled.chunks) cancelling.abort();
  await expect(cancelled.finished).rejects.toMatchObject({ code: 'cancelled' });
});

test('a process that is held answers until it is told to end', async () => {
  const { folder, git } = scratch();
  git(folder, 'init');
  git(folder, 'commit', '--allow-empty', '-m', 'x');
  const held = hold(cleanGit(), command('cat-file', { flags: ['--batch-command'] }), {
    place: placeOf(folder),
  });
  const answers: string[] = [];
  held.write(Buffer.from('info HEAD\n'));
  for await (const chunk of held.chunks) {
    answers.push(chunk.toString().replace(/^\w{40} /, ''));
    if (answers.length === 1) held.write(Buffer.from('info none\n'));
    else held.end();
  }
  expect(answers).toEqual(['commit 160\n', 'none missing\n']);
  expect(await held.died).toBeUndefined();
});

test('a held process that dies tells why, and takes no more questions', async () => {
  const held = hold(fakeGit('read x; echo "fatal: out of memory" >&2; exit 128'), command('cat-file'));
  held.write(Buffer.from('x\n'));
  for await (const _ of held.chunks);
  expect(await held.died).toMatchObject({ code: 'git-failed' });
  held.write(Buffer.from('x\n'));

  const { folder } = scratch();
  const { hello, begun, gone } = witness(folder);
  const killed = hold(fakeGit(`${hello}; sleep 1000`), command('cat-file'));
  await begun;
  killed.kill();
  expect(await killed.died).toBeUndefined();
  await gone;
});
