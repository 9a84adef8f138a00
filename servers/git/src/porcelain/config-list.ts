import { type Command, command } from '../run/command.ts';
import { unexpected } from './records.ts';

/** One setting that takes part, in byte strings. */
export interface ConfigEntry {
  readonly scope: string;
  /** the file that says it, undefined where none does */
  readonly file: string | undefined;
  /** section and last part in lower case, what is between them as it is written */
  readonly key: string;
  /** undefined for a key alone, which means true */
  readonly value: string | undefined;
}

/** Every setting of every file, in the order in which they count. Listing them executes nothing. */
export function configList(): Command {
  return command('config --list', { flags: ['-z', '--show-scope', '--show-origin', '--includes'] });
}

export function parseConfigList(bytes: Buffer): ConfigEntry[] {
  const fields = bytes.toString('latin1').split('\0');
  // each field ends in NUL, so one more is behind the last
  if (fields.length % 3 !== 1) throw unexpected('list of settings');
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope, origin, setting] = [fields[at]!, fields[at + 1]!, fields[at + 2]!];
    // no key holds a line end
    const end = setting.indexOf('\n');
    entries.push({
      scope,
      file: origin.startsWith('file:') ? origin.slice('file:'.length) : undefined,
      key: end === -1 ? setting : setting.slice(0, end),
      value: end === -1 ? undefined : setting.slice(end + 1),
    });
  }
  return entries;
}
