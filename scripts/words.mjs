// npm run lint: finds names that docs/glossary.md replaces, and sentences whose subject begins with "What"
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** Words of names that say nothing of the value, and their replacements. */
export const REPLACED = new Map([
  ['told', 'notice'],
  ['said', 'output'],
  ['still', 'retry, or the state by its name'],
  ['breath', 'yieldToEventLoop'],
  ['sheet', 'layout'],
  ['shown', 'rendering, or displayPath'],
  ['beginnings', 'unbornBranch'],
  ['losses', 'dataLoss'],
]);
/** Names of files that say nothing of their content. */
const VAGUE_FILES = ['place.ts', 'opened.ts', 'shown.ts'];
/** Folders in which a word is a term of the field: a workbook has sheets. */
const ALLOWED = new Map([['sheet', 'servers/fetch/']]);
const SUBJECT_WHAT = /(?<=^|[.:;!?)]\s+|\n\s*\n\s*)What (?![^.?!]*\?)[^\n]*/g;

const root = join(import.meta.dirname, '..');
if (process.argv[1] === import.meta.filename) {
  const kinds = ['*.ts', '*.mjs', '*.md'];
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...kinds], { cwd: root });
  const prefixes = process.argv.slice(2);
  const isChosen = (/** @type {string} */ file) =>
    prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix));
  const faults = String(listed)
    .split('\n')
    .filter((file) => isChosen(file) && file !== '' && existsSync(join(root, file)))
    .flatMap((file) => findFaults(file, readFileSync(join(root, file), 'utf8')));
  process.stdout.write(faults.map((fault) => `${fault}\n`).join(''));
  if (faults.length > 0) process.exitCode = 1;
}

/**
 * Returns "file:line: fault" for each name and sentence of a file that has to be rewritten.
 * @param {string} file its path from the root
 * @param {string} text
 */
export function findFaults(file, text) {
  const faults = namesIn(basename(file).replace(/\..*/, ''), file).map((fault) => ({ at: 0, fault }));
  if (VAGUE_FILES.includes(basename(file))) faults.push({ at: 0, fault: 'the name of the file is no noun' });
  const addSentences = (/** @type {string} */ prose, /** @type {number} */ start) => {
    for (const { 0: sentence, index } of prose.matchAll(SUBJECT_WHAT))
      faults.push({ at: start + index, fault: `begins with What: ${sentence.slice(0, 60)}` });
  };
  if (file.endsWith('.md')) {
    const prose = text.replace(/^#.*$|^(`{3,})[\s\S]*?^\1/gm, (part) => part.replace(/\S/g, '.'));
    addSentences(prose, 0);
  } else {
    const { program, comments } = parseSync(file, text);
    for (const { value, start } of comments)
      addSentences(value.replace(/^[* \t]+/gm, (margin) => margin.replace(/\*/g, ' ')).trimStart(), start);
    // every node of the tree is visited
    JSON.stringify(program, (_, node) => {
      if (node?.type === 'Identifier' || node?.type === 'PrivateIdentifier')
        faults.push(...namesIn(node.name, file).map((fault) => ({ at: node.start, fault })));
      if (!file.includes('test/') && node?.type === 'Literal' && typeof node.value === 'string')
        addSentences(node.value, node.start);
      return typeof node === 'bigint' ? undefined : node;
    });
  }
  return faults.map(({ at, fault }) => `${file}:${text.slice(0, at).split('\n').length}: ${fault}`);
}

/** @param {string} name @param {string} file */
function namesIn(name, file) {
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return [...REPLACED]
    .filter(([word]) => words.includes(word) && !file.startsWith(ALLOWED.get(word) ?? '\0'))
    .map(([word, better]) => `"${name}" has the word ${word}; better: ${better}`);
}
