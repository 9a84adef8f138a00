import { rmSync } from 'node:fs';
import { Boundary, type Scope } from '@rootbound/kit/boundary';
import { expect, test } from 'vitest';
import { FollowedRoots } from '../../src/resources/followed.ts';
import { Scene } from '../harness.ts';

const scene = new Scene();

/** A followed root whose watch a test triggers, and the counts of its checks and notifications. */
async function setUp() {
  const boundary = new Boundary({
    roots: [{ path: scene.root, readOnly: false }],
    policy: 'ignore',
    deny: ['*.key'],
  });
  const scope: Scope = boundary.operatorScope();
  const [root] = scope.roots;
  let ring = (): void => {};
  let looked = (): void => {};
  const facts = { notified: 0, stopped: 0 };
  const followed = new FollowedRoots({
    watching: {
      watchRoot: async (_scope, _path, changed) => {
        ring = changed;
        return () => {
          facts.stopped += 1;
        };
      },
    },
    lookAtRoots: () => looked(),
    changed: () => {
      facts.notified += 1;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await followed.follow(scope, [root!.real]);
  await followed.list(scope, root!);
  /** Runs `work` in the root and resolves after the list was checked. */
  const after = async (work: () => void): Promise<void> => {
    const look = new Promise<void>((resolve) => {
      looked = resolve;
    });
    work();
    ring();
    ring();
    await look;
  };
  return { followed, facts, after };
}

test('a change of the list is notified for its names and for nothing else', async () => {
  scene.put('a');
  const { facts, after, followed } = await setUp();
  await after(() => scene.put('.hidden'));
  await after(() => scene.put('own.key'));
  await after(() => scene.put('a', 'changed'));
  expect(facts.notified).toBe(0);
  await after(() => scene.put('b'));
  await after(() => rmSync(scene.at('.hidden')));
  await after(() => rmSync(scene.at('b')));
  await after(() => {});
  expect(facts.notified).toBe(2);
  followed.close();
});

test('of many roots the most recently listed ones are watched', async () => {
  const { facts, followed } = await setUp();
  const scope = new Boundary({ roots: [], policy: 'ignore' }).operatorScope();
  await followed.follow(
    scope,
    Array.from({ length: 150 }, (_, n) => `/none/${n}`),
  );
  await Promise.resolve();
  expect(facts.stopped).toBe(51);
  followed.close();
});
