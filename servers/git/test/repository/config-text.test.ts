import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { parseConfig, type Setting } from '../../src/repository/config-text.ts';
import { scratch } from '../scratch.ts';

const { folder, git, write } = scratch();

/** Returns the settings that git reads in a configuration, undefined where it refuses it. */
function readByGit(text: string): readonly Setting[] | undefined {
  const file = write('config', Buffer.from(text, 'latin1'));
  let listed: string;
  try {
    listed = git(folder, 'config', '--no-includes', '--list', '-z', '--file', file).toString('latin1');
  } catch {
    // it refused: that is the answer
    return undefined;
  }
  return listed
    .split('\0')
    .slice(0, -1)
    .map((entry) => {
      const at = entry.indexOf('\n');
      return at === -1 ? [entry, undefined] : [entry.slice(0, at), entry.slice(at + 1)];
    });
}

const pieces = [
  '[core]\n',
  '[Core "Sub \\"Section\\\\"]',
  '[include]',
  '[includeIf "gitdir:~/x/"]\r\n',
  '[a.b]',
  '[a-b "c.D"]\n',
  '[ core]',
  '[core "x" ]',
  '[core\n',
  '\tworktree = ../../outside\n',
  ' WorkTree=x',
  'path = "a b"; c\n',
  'bare\n',
  'key-1 = a\\\n  b\\tc\\"d\n',
  'k = "x\ny"\n',
  'k = a  b   \n',
  'k = \\x\n',
  'k = "unended\n',
  '1k = v\n',
  'k_ = v\n',
  'k v\n',
  '# comment [x]\n',
  '; path = y\n',
  '\n',
  '\r\n',
  '\r',
  '\\',
  '"',
  '=',
  ' ',
  '\u00ef\u00bb\u00bf',
  '\u00e9',
  'k = \u00e9\u00ff # c',
];

test('configurations are read as git reads them, and refused where git refuses them', () => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % below;
  };
  let accepted = 0;
  const rounds = full ? 400 : 100;
  for (let round = 0; round < rounds; round++) {
    const count = 1 + next(6);
    let text = next(4) === 0 ? '' : pieces[next(6)]!;
    for (let piece = 0; piece < count; piece++) text += pieces[next(pieces.length)]!;
    const expected = readByGit(text);
    if (expected !== undefined) accepted++;
    expect([text, parseConfig(text)]).toEqual([text, expected]);
  }
  // both answers are compared often
  expect([accepted > rounds / 5, accepted < (rounds * 4) / 5]).toEqual([true, true]);
});
