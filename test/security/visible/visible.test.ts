import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { visible } from '../../../packages/protocol/src/index.ts';
import { visibleLines } from '../../../packages/protocol/src/protocol/visible.ts';
import { renderPending } from '../../../scripts/shipment.mjs';
import { createScreen } from '../../../scripts/tour/screen.mjs';
import * as ofScripts from '../../../scripts/visible.mjs';
import { unseen, unseenIn } from './unseen.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const odd = `odd${unseen.filter((one) => !'\0\n'.includes(one)).join('')}name`;

function run(script: string, ...args: string[]): { status: number | null; output: string } {
  const program = join(root, 'scripts', script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('each becomes a JSON escape, the same in the packages and in the scripts, and letters stay', () => {
  for (const character of unseen) {
    const displayed = visible(`a${character}b`);
    expect(displayed).toMatch(/^a(?:\\[nrt]|(?:\\u[0-9a-f]{4}){1,2})b$/);
    expect([ofScripts.visible(`a${character}b`), JSON.parse(`"${displayed}"`)]).toEqual([
      displayed,
      `a${character}b`,
    ]);
  }
  for (const text of ['plain', 'é', 'ü', '漢字', 'עברית', 'العربية', '😀', '\\u001b'])
    expect([visible(text), ofScripts.visible(text)]).toEqual([text, text]);
});

test('line feeds stay in text of several lines, and tabs in indentation', () => {
  expect([visibleLines('a\tb\r\nc\rd\n'), ofScripts.visibleLines('a\tb\nc\rd\n')]).toEqual([
    'a\tb\nc\\rd\n',
    'a\\tb\nc\\rd\n',
  ]);
});

test('npm start escapes them in the name of an unknown server', () => {
  const { status, output } = run('start.mjs', odd);
  expect([status, unseenIn(output)]).toEqual([2, []]);
  expect(output).toContain(`there is no server ${visible(odd)}; try`);
});

test('the lint escapes them in a regular expression that it refuses, and in its path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-visible-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = join(folder, 'packages', 'one', 'src');
  mkdirSync(source, { recursive: true });
  mkdirSync(join(folder, 'servers'));
  const [bell, turn, hidden] = ['\u0007', '\u202e', '\ufe0f'];
  writeFileSync(
    join(source, `odd${turn}.ts`),
    `export const cubic = /^\\d+[\\d${turn}${hidden}${bell}]*\\d+$/;\n`,
  );
  const { status, output } = run('expressions.mjs', '--root', folder);
  expect([status, unseenIn(output)]).toEqual([1, []]);
  expect(output).toContain('packages/one/src/odd\\u202e.ts:1\n  /^\\d+[\\d\\u202e\\ufe0f\\u0007]*\\d+$/\n');
});

test('the dry run of a release escapes them in a changeset', () => {
  const rendered = renderPending({
    changes: [{ name: odd, kind: 'minor', summary: odd }],
    versions: [`${odd}: 1.0.0 to 1.1.0`],
  });
  expect(unseenIn(rendered)).toEqual([]);
  expect(rendered.split(visible(odd))).toHaveLength(4);
});

test('the tour escapes them in the output of a server', () => {
  let written = '';
  const stream = {
    isTTY: false,
    write: (text: string) => {
      written += text;
    },
  };
  const screen = createScreen(stream as unknown as NodeJS.WriteStream); // createScreen uses nothing else
  screen.row('row', odd);
  screen.quote(`${odd}\n${odd}`);
  expect(unseenIn(written)).toEqual([]);
  expect(written.split(visible(odd))).toHaveLength(4);
});
