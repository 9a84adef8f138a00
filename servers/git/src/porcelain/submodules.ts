import { type Command, command } from '../run/command.ts';
import { type Oid, toOid } from '../run/oid.ts';
import { parseConfigList } from './config-list.ts';
import { nameOfByteString } from './names.ts';
import { recordsOf, unexpected } from './records.ts';
import { toSetting, urlOf } from './settings.ts';

/** A commit of another repository in the index. */
export interface Gitlink {
  readonly path: string;
  /** undefined where the path is unmerged */
  readonly commit: Oid | undefined;
}

/** A submodule's entry in .gitmodules; it is unchecked and need not be in the index. */
export interface Declared {
  readonly name: string;
  readonly path: string | undefined;
  readonly url: string | undefined;
  readonly branch: string | undefined;
  /** a command is any value that begins with `!`, which git refuses there */
  readonly update: (typeof updates)[number] | 'command' | undefined;
}

const updates = ['checkout', 'rebase', 'merge', 'none'] as const;

export interface Submodule extends Gitlink {
  /** undefined where .gitmodules does not declare it, so that git cannot update it */
  readonly declared: Declared | undefined;
}

export function gitlinksCommand(): Command {
  return command('ls-files', { flags: ['-z', '--stage'] });
}

/** Reads the output of `gitlinksCommand`. */
export function parseGitlinks(bytes: Buffer): Gitlink[] {
  const links = new Map<string, Gitlink>();
  for (const record of recordsOf(bytes)) {
    if (!record.startsWith('160000 ')) continue;
    const [, oid, stage, name] = /^160000 ([0-9a-f]+) ([0-3])\t(.*)$/s.exec(record) ?? [];
    if (name === undefined) throw unexpected('index entry');
    const path = nameOfByteString(name);
    links.set(path, { path, commit: stage === '0' ? toOid(oid!) : undefined });
  }
  return [...links.values()];
}

/** Builds the command that lists the text of a .gitmodules; includes are not followed. */
export function declaredCommand(text: Buffer): Command {
  return command('config --list', {
    flags: ['-z', '--show-scope', '--show-origin', '--no-includes', '--file=-'],
    input: text,
  });
}

/** Reads the output of `declaredCommand`. */
export function parseDeclared(bytes: Buffer): Declared[] {
  const found = new Map<string, Map<string, string>>();
  for (const { section, subsection, name, value } of parseConfigList(bytes).map(toSetting)) {
    if (section !== 'submodule' || subsection === '') continue;
    const settings = found.get(subsection) ?? new Map<string, string>();
    found.set(subsection, settings.set(name, value ?? ''));
  }
  return [...found].map(([name, settings]) => {
    const path = settings.get('path');
    const url = settings.get('url');
    const branch = settings.get('branch');
    return {
      name: nameOfByteString(name),
      path: path === undefined ? undefined : nameOfByteString(path),
      url: url === undefined ? undefined : urlOf(url),
      branch: branch === undefined ? undefined : nameOfByteString(branch),
      update: updateOf(settings.get('update')),
    };
  });
}

/** Returns the submodules of the index, each with its declaration. */
export function joinSubmodules(links: readonly Gitlink[], declared: readonly Declared[]): Submodule[] {
  const byPath = new Map(declared.map((one) => [one.path, one]));
  return links.map((link) => ({ ...link, declared: byPath.get(link.path) }));
}

function updateOf(value = ''): Declared['update'] {
  if (value.startsWith('!')) return 'command';
  return updates.find((update) => update === value);
}
