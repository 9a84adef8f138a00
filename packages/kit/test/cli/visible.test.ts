import { expect, test } from 'vitest';
import { visible as ofInspector } from '../../../protocol/src/inspect/visible.ts';
import { renderChecks, renderChecksJson } from '../../src/cli/doctor.ts';
import { createLogger } from '../../src/cli/log.ts';
import { visible } from '../../src/cli/visible.ts';
import { spec } from './spec.ts';

/** First and last of each range of characters that move or reorder others, or that nobody sees. */
const ranges: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef],
];
const unseen = ranges.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
);

test('each is an escape in a line, the same as in the inspector, and letters stay', () => {
  for (const character of unseen) {
    expect(visible(`a${character}b`)).toMatch(/^a(?:\\[nrt]|(?:\\u[0-9a-f]{4}){1,2})b$/);
    if (!'\r\t'.includes(character)) expect(ofInspector(character)).toBe(visible(character));
  }
  for (const text of ['plain', 'é', 'ü', '漢字', 'עברית', 'العربية', '😀', '\\u001b'])
    expect([visible(text), ofInspector(text)]).toEqual([text, text]);
});

test('--doctor and --log-level show none of them, in lines and in JSON that reads the same', () => {
  const what = `root ${unseen.join('')} end`;
  const checks = [{ state: 'ok' as const, what }];
  expect(unseen.filter((one) => one !== '\n' && renderChecks(checks).includes(one))).toEqual([]);
  const json = renderChecksJson(spec, checks);
  expect(unseen.filter((one) => one !== '\n' && json.includes(one))).toEqual([]);
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
    expect(unseen.filter((one) => one !== '\n' && written.includes(one))).toEqual([]);
  }
});
