import type { Setting } from './config-text.ts';

/** Returns the text of a git configuration that holds these settings; byte strings, as `parseConfig` reads them. */
export function configText(settings: readonly Setting[]): string {
  let text = '';
  let section = '';
  for (const [key, value] of settings) {
    const header = headerOf(key);
    if (header !== section) text += `${header}\n`;
    section = header;
    const leaf = key.slice(key.lastIndexOf('.') + 1);
    text += value === undefined ? `\t${leaf}\n` : `\t${leaf} = "${quoted(value)}"\n`;
  }
  return text;
}

function headerOf(key: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  if (first === last) return `[${key.slice(0, first)}]`;
  return `[${key.slice(0, first)} "${key.slice(first + 1, last).replace(/["\\]/g, '\\$&')}"]`;
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\b': '\\b' };

function quoted(value: string): string {
  return value.replace(/[\n\t\b"\\]/g, (character) => escapes[character] ?? `\\${character}`);
}

/** One change to a configuration file, as git-config(1) names it. */
export type ConfigChange =
  | { readonly kind: 'rename-section'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove-section'; readonly section: string }
  | { readonly kind: 'unset-all'; readonly key: string }
  | { readonly kind: 'add'; readonly key: string; readonly value: string };

/** Returns the changes that make the settings in a file from `before` into `after`. */
export function changesBetween(before: readonly Setting[], after: readonly Setting[]): ConfigChange[] {
  const [old, now] = [sectionsOf(before), sectionsOf(after)];
  const changes: ConfigChange[] = [];
  const added = new Map([...now].filter(([section]) => !old.has(section)));
  const written = new Set<string>();
  for (const [section, settings] of old) {
    if (now.has(section) || !section.includes('.')) continue;
    const text = JSON.stringify(settings);
    const to = [...added].find(([name, each]) => JSON.stringify(each) === text && !written.has(name))?.[0];
    if (to === undefined) changes.push({ kind: 'remove-section', section });
    else {
      written.add(to);
      changes.push({ kind: 'rename-section', from: section, to });
    }
  }
  const gone = new Set(changes.map((change) => ('section' in change ? change.section : sourceOf(change))));
  for (const section of new Set([...old.keys(), ...now.keys()]))
    if (!written.has(section) && !gone.has(section))
      changes.push(...changesIn(section, old.get(section) ?? [], now.get(section) ?? []));
  return changes;
}

function sourceOf(change: ConfigChange): string | undefined {
  return change.kind === 'rename-section' ? change.from : undefined;
}

type Leaf = readonly [leaf: string, value: string | undefined];

function sectionsOf(settings: readonly Setting[]): Map<string, Leaf[]> {
  const sections = new Map<string, Leaf[]>();
  for (const [key, value] of settings) {
    const end = key.lastIndexOf('.');
    const leaves = sections.get(key.slice(0, end)) ?? [];
    leaves.push([key.slice(end + 1), value]);
    sections.set(key.slice(0, end), leaves);
  }
  return sections;
}

function changesIn(section: string, before: readonly Leaf[], after: readonly Leaf[]): ConfigChange[] {
  const changes: ConfigChange[] = [];
  for (const leaf of new Set([...before, ...after].map(([name]) => name))) {
    const valuesIn = (leaves: readonly Leaf[]) =>
      leaves.flatMap(([name, value]) => (name === leaf ? [value ?? 'true'] : []));
    const [old, now] = [valuesIn(before), valuesIn(after)];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const key = `${section}.${leaf}`;
    const kept = old.every((value, at) => value === now[at]) ? old.length : 0;
    if (old.length > kept) changes.push({ kind: 'unset-all', key });
    changes.push(...now.slice(kept).map((value) => ({ kind: 'add', key, value }) as const));
  }
  return changes;
}
