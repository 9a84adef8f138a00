import { expect, inject, onTestFinished, test } from 'vitest';
import { Engine } from '../../src/engine.ts';
import { usualLimits } from '../../src/lanes/limits.ts';
import { toSqliteUri } from '../../src/resources/uri.ts';
import { Watching } from '../../src/watching/watching.ts';
import type { Workspace } from '../../src/workspace.ts';
import { scopeOver, scratch } from '../scratch.ts';

const { folder, database, open } = scratch();

/** Watches without a server, and counts notifications. */
function watching() {
  const engine = new Engine({ laneFile: inject('laneFile'), limits: usualLimits });
  const faults: unknown[] = [];
  const all = new Watching(engine, { listChanged: () => {}, onError: (error) => faults.push(error) });
  onTestFinished(async () => {
    await all.close();
    await engine.close();
  });
  const workspace: Workspace = { scope: scopeOver(folder), engine, maxOutput: 100_000, owner: '' };
  const watch = (uri: string, changed: () => void = () => {}) => all.watch(uri, workspace, changed);
  return { engine, faults, watch };
}

test('after the watching process was killed the next change is reported', async () => {
  const path = database('killed.db', 'PRAGMA journal_mode = wal; CREATE TABLE a (n)');
  const { engine, faults, watch } = watching();
  const db = open(path);
  let notify = (): void => {};
  await watch(toSqliteUri(path, { kind: 'rows', table: 'a' }), () => notify());
  const { pid } = engine.watchLane;
  const next = new Promise<void>((resolve) => {
    notify = resolve;
  });
  process.kill(pid!, 'SIGKILL');
  db.exec('INSERT INTO a VALUES (1)');
  await next;
  expect([engine.watchLane.pid === pid, faults]).toEqual([false, []]);
});

test('a check whose process is killed is repeated by the next process', async () => {
  const path = database('meanwhile.db', 'CREATE TABLE a (n)');
  const { engine } = watching();
  const { watchLane } = engine;
  expect(await watchLane.look(path, ['a'])).toMatchObject({ state: 'begun' });
  const looking = watchLane.look(path, ['a']);
  process.kill(watchLane.pid!, 'SIGKILL');
  expect(await looking).toMatchObject({ state: 'begun' });
});

test('a thousand URIs are watched, one more is refused until another one ends', async () => {
  const path = database('many.db', 'CREATE TABLE a (n)');
  const { watch } = watching();
  const uri = toSqliteUri(path, { kind: 'table', table: 'a' });
  const stops = await Promise.all(Array.from({ length: 1_000 }, () => watch(uri)));
  await expect(watch(uri)).rejects.toMatchObject({ code: 'too-many-watches', retryable: true });
  stops[7]!();
  // ending a watch twice frees one place
  stops[7]!();
  await watch(uri);
  await expect(watch(uri)).rejects.toMatchObject({ code: 'too-many-watches' });
});

test('a refused URI does not count as watched', async () => {
  const { watch } = watching();
  for (const uri of ['sqlite:///nowhere/x.db', 'file:///x', `${toSqliteUri(`${folder}/x.db`)}?other`])
    await expect(watch(uri)).rejects.toMatchObject({ code: 'not-found' });
});
