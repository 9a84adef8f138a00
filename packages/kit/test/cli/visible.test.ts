import { expect, test } from 'vitest';
import { unseen, unseenIn } from '../../../../test/security/visible/unseen.ts';
import { renderChecks, renderChecksJson } from '../../src/cli/doctor.ts';
import { createLogger } from '../../src/cli/log.ts';
import { spec } from './spec.ts';

test('--doctor and --log-level show no unseen character, in lines and in JSON that reads the same', () => {
  const what = `root ${unseen.join('')} end`;
  const checks = [{ state: 'ok' as const, what }];
  expect(unseenIn(renderChecks(checks))).toEqual([]);
  const json = renderChecksJson(spec, checks);
  expect(unseenIn(json)).toEqual([]);
  expect(JSON.parse(json)).toMatchObject({ checks });
  for (const asJson of [false, true]) {
    let written = '';
    const logger = createLogger({
      level: 'info',
      json: asJson,
      write: (line: string) => {
        written += line;
      },
    });
    logger.warning(what);
    expect(written.length).toBeGreaterThan(unseen.length);
    expect(unseenIn(written)).toEqual([]);
  }
});
