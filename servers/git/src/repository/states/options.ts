import { type Grammar, strategy } from './grammar.ts';
import { isMergeOption } from './quoted.ts';

const isTrue = (value: string): boolean => /^(?:true|false)$/.test(value);

/** Each option of a sequence, and its possible values. */
const options: Readonly<Record<string, (value: string) => boolean>> = {
  'no-commit': isTrue,
  edit: isTrue,
  'allow-empty': isTrue,
  'allow-empty-message': isTrue,
  'drop-redundant-commits': isTrue,
  'keep-redundant-commits': isTrue,
  signoff: isTrue,
  'record-origin': isTrue,
  'allow-ff': isTrue,
  'allow-rerere-auto': isTrue,
  mainline: (value) => /^\d{1,4}$/.test(value),
  'gpg-sign': (value) => /^[^\0\n"\\#;]*$/.test(value),
  strategy: (value) => strategy(value) === undefined,
  'strategy-option': (value) => isMergeOption(value),
  'default-msg-cleanup': (value) => /^(?:verbatim|whitespace|strip|scissors|default)$/.test(value),
};

/** Accepts the options of a cherry-pick or a revert, which git writes as a configuration of one section. */
export const sequenceOptions: Grammar = (text) => {
  const rows = text.replace(/\n$/, '').split('\n');
  for (const [index, row] of rows.entries()) {
    if (row === '' || row === '[options]') continue;
    const [, key, value] = /^\t([a-z-]+) = (.*)$/.exec(row) ?? [];
    if (key === undefined || !Object.hasOwn(options, key))
      return `has a line ${index + 1} that is no option of a sequence`;
    if (!options[key]!(value!.replace(/^"(.*)"$/, '$1')))
      return `has a value of ${key} that git does not write`;
  }
  return undefined;
};
