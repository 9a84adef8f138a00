import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The arguments, variables and input with which a program was started. */
export interface Started {
  /** what names the program, such as `hooks/pre-commit` or `filter.plain.clean` */
  readonly place: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

const protocol = `'${process.execPath}' '${join(import.meta.dirname, 'protocol.mjs')}'`;
const lastArgument = 'for last; do :; done';

/** The work of a recorder after it has recorded, so that git continues; file 3 is its record. */
const behaviours = {
  hook: 'exec cat >&3',
  editor: 'exec cat >&3',
  dropping: 'cat >&3\nsed -i "1s/^pick/drop/" "$1"',
  driver: 'exec cat >&3',
  filter: 'exec tee -a "$records/$number"',
  process: `tee -a "$records/$number" | ${protocol} filter`,
  textconv: 'cat "$1"',
  monitor: "cat >&3\nprintf 'token\\0/\\0'",
  credential: 'cat >&3\n[ "$1" != get ] || printf \'username=ann\\npassword=secret\\n\'',
  gpg: [
    'cat >&3',
    'case "$*" in',
    "*--verify*) printf '\\n[GNUPG:] GOODSIG 1 Ann\\n[GNUPG:] TRUST_ULTIMATE 0\\n' ;;",
    "*) printf '\\n[GNUPG:] SIG_CREATED D\\n' >&2",
    "  printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n' ;;",
    'esac',
  ].join('\n'),
  sshKeygen: [
    lastArgument,
    // git forgets the file of a key that is no file
    'case "$6" in */.git_signing_key_tmp*) rm -f "$6" ;; esac',
    'cat "$last" >&3',
    'printf -- \'-----BEGIN SSH SIGNATURE-----\\nx\\n-----END SSH SIGNATURE-----\\n\' >"$last.sig"',
  ].join('\n'),
  key: "cat >&3\necho 'key::ssh-ed25519 AAAA'",
  // on another machine there would be nothing of the environment of this one
  ssh: `${lastArgument}\nexec 3>&-\nexec env -i PATH="$PATH" sh -c "$last"`,
  uploadPack: 'exec 3>&-\nexec git-upload-pack "$@"',
  receivePack: 'exec 3>&-\nexec git-receive-pack "$@"',
  procReceive: `tee -a "$records/$number" | ${protocol} receive`,
} as const;

export type Behaviour = keyof typeof behaviours;

/** Programs that write down how they were started, each time to another file. */
export class Recorder {
  readonly #records: string;
  readonly #programs: string;
  readonly #end: string;

  constructor(folder: string) {
    this.#records = join(folder, 'records');
    this.#programs = join(folder, 'programs');
    this.#end = join(folder, 'end');
    mkdirSync(this.#records);
    mkdirSync(this.#programs);
    writeFileSync(this.#end, '\0');
    this.clear();
  }

  /** Returns the text of a program for a place. */
  script(place: string, behaviour: Behaviour = 'hook'): string {
    return [
      '#!/bin/sh',
      `records='${this.#records}'`,
      'read -r number <"$records/next"',
      'set -C',
      'until { true >"$records/$number"; } 2>/dev/null; do number=$((number + 1)); done',
      'set +C',
      'echo "$((number + 1))" >"$records/next"',
      'exec 3>>"$records/$number"',
      `printf '%s\\0' '${place}' "$#" "$@" >&3`,
      'pwd -P >&3',
      // as it was given, without what the shell adds; an empty entry ends it
      `cat /proc/$$/environ '${this.#end}' >&3`,
      behaviours[behaviour],
      '',
    ].join('\n');
  }

  /** Makes a program for a place: its path. */
  program(place: string, behaviour: Behaviour): string {
    const file = join(this.#programs, place);
    writeFileSync(file, this.script(place, behaviour), { mode: 0o755 });
    return file;
  }

  clear(): void {
    for (const name of readdirSync(this.#records)) rmSync(join(this.#records, name));
    writeFileSync(join(this.#records, 'next'), '0\n');
  }

  /** Returns what was recorded since it was cleared, in its order. */
  take(): Started[] {
    const names = readdirSync(this.#records).filter((name) => name !== 'next');
    const started = names
      .sort((one, other) => Number(one) - Number(other))
      .map((name) => parse(readFileSync(join(this.#records, name))));
    this.clear();
    return started;
  }
}

function parse(bytes: Buffer): Started {
  let at = 0;
  const next = (separator = '\0'): string => {
    const end = bytes.indexOf(separator, at);
    const text = bytes.toString('latin1', at, end);
    at = end + 1;
    return text;
  };
  const [place, count] = [next(), Number(next())];
  const args = Array.from({ length: count }, () => next());
  const cwd = next('\n');
  const env: Record<string, string> = {};
  for (let entry = next(); entry !== ''; entry = next()) {
    const equals = entry.indexOf('=');
    env[entry.slice(0, equals)] = entry.slice(equals + 1);
  }
  return { place, cwd, args, env, stdin: bytes.toString('latin1', at) };
}
