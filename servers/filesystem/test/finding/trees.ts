/** Names in generated trees, some of which are special characters in patterns. */
const NAMES = [
  'a',
  'b',
  'ab',
  'abc',
  'a.log',
  'b.log',
  'keep.log',
  'x y',
  'd',
  'D',
  'sp ',
  '#x',
  '!x',
  'a[b',
  '-',
  'é',
  '.e',
  'a\\b',
  'z]',
];
const CLASSES = [
  '[a-c]',
  '[^b]',
  '[[:alpha:]]',
  '[]]',
  '[a-',
  '[]-a]',
  '[[:foo:]]',
  '[\\]a]',
  'a[!/]b',
  '[--0]',
  '[a\\-c]',
  '[[:upper:]d]*',
];
const ENDS = ['  ', '\\ ', '\t', ' \\ ', '\r', '\\'];

type Pick = (below: number) => number;

export interface GeneratedTree {
  files: string[];
  ignoreFiles: [path: string, text: string][];
  /** of `.git/info/exclude` */
  exclude: string | undefined;
}

/** Returns a generated tree with ignore files, the same for the same seed. */
export function generateTree(seed: number): GeneratedTree {
  const pick = picker(seed);
  const folders = [''];
  for (let index = 0; index < 14; index++) {
    const folder = `${one(pick, folders)}${one(pick, NAMES)}/`;
    if (!folders.includes(folder)) folders.push(folder);
  }
  const files = new Set<string>();
  for (const folder of folders) {
    for (let index = 0; index < 6; index++) files.add(folder + one(pick, NAMES));
  }
  for (const folder of folders) files.delete(folder.slice(0, -1));
  const ignoreFiles = folders
    .filter((folder) => folder === '' || pick(3) === 0)
    .map((folder): [string, string] => [`${folder}.gitignore`, ignoreText(pick)]);
  return { files: [...files], ignoreFiles, exclude: pick(2) === 0 ? undefined : ignoreText(pick) };
}

function ignoreText(pick: Pick): string {
  const lines = Array.from({ length: 1 + pick(5) }, () => ignoreLine(pick));
  return lines.join(pick(8) === 0 ? '\r\n' : '\n') + (pick(2) === 0 ? '' : '\n');
}

function ignoreLine(pick: Pick): string {
  const parts = Array.from({ length: pick(3) === 0 ? 2 + pick(3) : 1 }, () => segment(pick));
  let line = parts.join('/');
  if (pick(5) === 0) line = `/${line}`;
  if (pick(4) === 0) line += '/';
  if (pick(4) === 0) line = `!${line}`;
  if (pick(10) === 0) line += one(pick, ENDS);
  return pick(30) === 0 ? `#${line}` : line;
}

function segment(pick: Pick): string {
  const literal = one(pick, NAMES).replace(/[\\[\]*?]/g, (mark) => (pick(4) === 0 ? mark : `\\${mark}`));
  const forms = ['*', '**', '?', '*.log', '[ab]*', '[!a]*', one(pick, CLASSES), `${literal[0]}*`];
  return one(pick, [...forms, `*${literal.slice(-1)}`, `\\${literal}`, literal, literal, literal]);
}

function one<T>(pick: Pick, choices: readonly T[]): T {
  return choices[pick(choices.length)]!;
}

function picker(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}
