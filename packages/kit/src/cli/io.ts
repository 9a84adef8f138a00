import { isAbsolute, resolve } from 'node:path';

/** The surroundings of a command line. */
export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** sets the exit code; the process ends by itself once its output is written */
  exitCode(code: number): void;
  readonly cwd: string;
  readonly home: string;
  /** the script that was started */
  readonly entry: string;
  readonly platform: NodeJS.Platform;
}

/** The process itself; each part is looked up when it is used, since opening stdout and stderr costs start time. */
export const processIo: CommandIo = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  exitCode: (code) => {
    process.exitCode = code;
  },
  get cwd() {
    return process.cwd();
  },
  get home() {
    return process.getBuiltinModule('node:os').homedir();
  },
  get entry() {
    return process.argv[1] ?? '';
  },
  get platform() {
    return process.platform;
  },
};

/** Returns the absolute path; a leading `~` is the home folder, since clients start servers without a shell. */
export function absolutePath(path: string, io: Pick<CommandIo, 'cwd' | 'home'>): string {
  if (path === '~' || path.startsWith('~/') || path.startsWith('~\\'))
    return resolve(io.home, `.${path.slice(1)}`);
  return isAbsolute(path) ? path : resolve(io.cwd, path);
}
