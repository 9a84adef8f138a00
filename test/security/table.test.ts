import type { Containment } from '@rootbound/kit/boundary';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../extent.ts';
import { type Build, buildUnverified, buildVerifying } from './build.ts';
import { applies, Cells } from './cells.ts';
import { layouts } from './layouts.ts';
import { operations } from './operations.ts';
import { openSite } from './site.ts';

const containments: readonly Containment[] =
  process.platform === 'linux' ? ['kernel', 'best-effort'] : ['best-effort'];

/** Creates the cells of a build for the tests of one group. */
function cellsOf(build: () => Promise<Build>, containment: Containment): () => Cells {
  let parts: Build | undefined;
  let cells: Cells | undefined;
  beforeAll(async () => {
    parts = await build();
    cells = new Cells(await openSite(parts, containment));
  });
  afterAll(async () => {
    await cells?.site.close();
    parts?.remove();
  });
  return () => cells!;
}

describe.each(containments)('paths with links, %s', (containment) => {
  const cells = cellsOf(buildVerifying, containment);

  test.each(containment === 'kernel' ? layouts : sampled(layouts, 3))(
    '$name: each operation does what it should, or nothing at all',
    async (layout) => {
      const came: Record<string, string> = {};
      const should: Record<string, string> = {};
      for (const operation of operations.filter((one) => applies(layout, one))) {
        came[operation.name] = await cells().try(layout, operation);
        should[operation.name] = operation.expect(layout);
      }
      expect(came).toEqual(should);
    },
  );

  test('the server reports its containment', async () => {
    const { structuredContent } = await cells().site.client.callTool('list_allowed_directories', {});
    expect(structuredContent).toMatchObject({ containment });
  });
});

describe.runIf(process.platform === 'linux')('the same build with handles unverified', () => {
  const cells = cellsOf(buildUnverified, 'kernel');

  test.each(operations)('$name: the table sees that it goes outside', async (operation) => {
    const faults: string[] = [];
    for (const layout of layouts.filter((one) => / outside/.test(one.name))) {
      const came = await cells().try(layout, operation);
      if (came !== operation.expect(layout)) faults.push(`${layout.name}: ${came}`);
    }
    expect(faults).not.toEqual([]);
  });
});
