// npm run lint: names that docs/glossary.md replaces, and sentences whose subject begins with "What"
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

/** Words of names, and the word that a stranger searches for. */
export const REPLACED = {
  told: 'notice',
  said: 'output',
  still: 'retry, or the state by its name',
  breath: 'yieldToEventLoop',
  sheet: 'layout',
  shown: 'rendering, or displayPath',
  beginnings: 'unbornBranch',
  losses: 'dataLoss',
};
/** Files of these names say nothing of what they hold. */
const VAGUE_FILES = new Set(['place.ts', 'opened.ts', 'shown.ts']);
/** A workbook has sheets. */
const ALLOWED = [['servers/fetch/', 'sheet']];
const SUBJECT_WHAT = /(?<=^|[.:;!?)]\s+|\n\s*\n\s*)What (?![^.?!]*\?)[^\n]*/g;

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mjs', '*.md'], {
    cwd: root,
  });
  const chosen = process.argv.slice(2);
  const files = String(listed)
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
  const faults = files
    .filter((file) => chosen.length === 0 || chosen.some((prefix) => file.startsWith(prefix)))
    .flatMap((file) =>
      findFaults(file, readFileSync(join(root, file), 'utf8')).map((fault) => `${file}:${fault}`),
    );
  if (faults.length > 0) {
    console.error(`${faults.join('\n')}\n${faults.length} names and sentences to rewrite (docs/glossary.md)`);
    process.exitCode = 1;
  }
}

/**
 * Returns "line: fault" for each name and sentence of a file that has to be rewritten.
 * @param {string} file its path from the root
 * @param {string} text
 * @returns {string[]}
 */
export function findFaults(file, text) {
  /** @type {[number, string][]} */
  const faults = namesIn(basename(file).replace(/\..*/, ''), file).map((fault) => [0, fault]);
  if (VAGUE_FILES.has(basename(file))) faults.push([0, `the file is named ${basename(file)}, after no noun`]);
  /** @param {string} prose @param {number} start */
  const addSentences = (prose, start) => {
    for (const { 0: sentence, index } of prose.matchAll(SUBJECT_WHAT))
      faults.push([start + index, `begins with What: ${sentence.slice(0, 60)}`]);
  };
  if (file.endsWith('.md'))
    addSentences(
      text.replace(/^#.*$|^(`{3,})[\s\S]*?^\1/gm, (part) => part.replace(/\S/g, '.')),
      0,
    );
  else {
    const { program, comments } = parseSync(file, text);
    for (const { value, start } of comments)
      addSentences(value.replace(/^[* \t]+/gm, (margin) => margin.replace(/\*/g, ' ')).trimStart(), start);
    JSON.stringify(program, (_, node) => {
      if (node?.type === 'Identifier' || node?.type === 'PrivateIdentifier')
        faults.push(
          ...namesIn(node.name, file).map((fault) => /** @type {[number, string]} */ ([node.start, fault])),
        );
      if (!file.includes('test/') && typeof node?.value === 'string' && node.type === 'Literal')
        addSentences(node.value, node.start);
      return typeof node === 'bigint' ? undefined : node;
    });
  }
  return faults.map(([at, fault]) => `${text.slice(0, at).split('\n').length}: ${fault}`);
}

/** @param {string} name @param {string} file */
function namesIn(name, file) {
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return Object.entries(REPLACED).flatMap(([word, better]) => {
    const allowed = ALLOWED.some(([folder, own]) => word === own && file.startsWith(folder ?? ''));
    return words.includes(word) && !allowed ? [`"${name}" is named after ${word}; better: ${better}`] : [];
  });
}
