import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildFolder, bundleInto } from './bundle.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** path of the built lane module */
    laneFile: string;
  }
}

/** Builds the lane module once for all tests of a run. */
export default async function buildLane(project: TestProject): Promise<() => void> {
  const folder = buildFolder('lane');
  await bundleInto(folder, { lane: 'src/lane.ts' });
  project.provide('laneFile', join(folder, 'lane.cjs'));
  return () => rmSync(folder, { recursive: true, force: true });
}
