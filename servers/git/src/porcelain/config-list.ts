import { type Command, command } from '../run/command.ts';
import { unexpected } from './records.ts';

/** One effective setting, in byte strings. */
export interface ConfigEntry {
  readonly scope: string;
  /** the file that sets it; undefined where it is in no file */
  readonly file: string | undefined;
  /** section and last part in lower case, the part between them as written */
  readonly key: string;
  /** undefined for a key without a value, which means true */
  readonly value: string | undefined;
}

/** Lists the settings of all files, in their order of precedence. The listing executes nothing. */
export function configList(): Command {
  return command('config --list', { flags: ['-z', '--show-scope', '--show-origin', '--includes'] });
}

export function parseConfigList(bytes: Buffer): ConfigEntry[] {
  const fields = bytes.toString('latin1').split('\0');
  // each field ends in NUL, so an empty one follows the last
  if (fields.length % 3 !== 1) throw unexpected('list of settings');
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope, origin, setting] = [fields[at]!, fields[at + 1]!, fields[at + 2]!];
    // keys contain no newline
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
