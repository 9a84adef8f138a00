import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The system calls of git and its children under one call. */
export interface Trace {
  readonly tool: string;
  /** the paths that were opened or looked for, absolute */
  readonly paths: ReadonlySet<string>;
  readonly programs: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  /** what git was given as its common directory, absolute */
  readonly commonDir: string | undefined;
}

/** A git first on PATH that has `strace` write down what it and its children open, look for and start. */
export class Tracing {
  readonly #logs: string;
  readonly path: string;

  constructor(folder: string, git: string) {
    this.#logs = join(folder, 'logs');
    this.path = join(folder, 'bin');
    mkdirSync(this.#logs);
    mkdirSync(this.path);
    const trace = 'strace -f -qq -y -v -s 65536 -e trace=file,chdir,fchdir,execve';
    // a git that a traced one has started is in its trace: a process has one tracer
    const script = `#!/bin/sh
while read -r key value; do
  if [ "$key" = TracerPid: ] && [ "$value" != 0 ]; then exec '${git}' "$@"; fi
done </proc/$$/status
read tool <'${this.#logs}/current'
log='${this.#logs}'/$tool.$$
pwd >"$log.cwd"
exec ${trace} -o "$log.trace" '${git}' "$@"
`;
    writeFileSync(join(this.path, 'git'), script);
    chmodSync(join(this.path, 'git'), 0o755);
    this.name('none');
  }

  /** Traces the following calls under the name of this tool. */
  name(tool: string): void {
    writeFileSync(join(this.#logs, 'current'), `${tool}\n`);
  }

  traces(): Trace[] {
    return readdirSync(this.#logs)
      .filter((name) => name.endsWith('.trace'))
      .map((name) => {
        const file = join(this.#logs, name);
        const cwd = readFileSync(file.replace(/trace$/, 'cwd'), 'utf8').trimEnd();
        return traceOf(name.slice(0, name.indexOf('.')), readFileSync(file, 'latin1'), cwd);
      });
  }
}

function traceOf(tool: string, log: string, start: string): Trace {
  const [paths, programs, variables] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const folders = new Map<string, string>();
  let commonDir: string | undefined;
  for (const row of log.split('\n')) {
    const [, pid, name, rest] = /^(\d+) +(?:<\.\.\. )?(\w+)\((.*)$/.exec(row) ?? [];
    if (pid === undefined || rest === undefined) continue;
    const at = /^AT_FDCWD<([^>]*)>/.exec(rest)?.[1] ?? /^\d+<([^>]*)>/.exec(rest)?.[1];
    if (at !== undefined && rest.startsWith('AT_FDCWD')) folders.set(pid, at);
    const cwd = at ?? folders.get(pid) ?? start;
    const found = [...rest.split(/, \[|\) += /)[0]!.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => text!,
    );
    const [path] = found;
    if (path === undefined) continue;
    if (name === 'chdir') folders.set(pid, resolve(cwd, path));
    if (name === 'execve') {
      if (row.endsWith(' = 0')) programs.add(path);
      const environment = /\], \[(.*)\]\) += 0$/.exec(rest)?.[1] ?? '';
      for (const [, variable] of environment.matchAll(/"([^"=\\]+)=/g)) variables.add(variable!);
      commonDir ??= /"GIT_COMMON_DIR=((?:[^"\\]|\\.)*)"/.exec(environment)?.[1];
      continue;
    }
    // the target of a link is a text, its place the second
    const places = name === 'symlink' || name === 'symlinkat' ? found.slice(1) : found;
    for (const each of places) paths.add(resolve(cwd, each));
  }
  return { tool, paths, programs, variables, commonDir };
}

/** A path with all of it that is there resolved through links. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // not there, or no longer: the folder above it says where it would be
    const slash = path.lastIndexOf('/');
    return slash <= 0 ? path : join(realOf(path.slice(0, slash)), path.slice(slash + 1));
  }
}
