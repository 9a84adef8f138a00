/**
 * Returns whether one of the open files has an access list, an extended attribute or a label; undefined when that
 * cannot be known. Node has no call for it, so GNU tar is asked, whose archives list them before each file. All files
 * but the last should be empty.
 */
export function carriesMore(files: readonly number[]): boolean | undefined {
  // loaded at the first change of a file that others created
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const names = files.map((_, index) => `/proc/self/fd/${3 + index}`);
  // the end of the output is cut off, since nobody needs the content
  const { stdout } = spawnSync(program, [...options, ...names], {
    stdio: ['ignore', 'pipe', 'ignore', ...files],
    env: { LC_ALL: 'C' },
    cwd: '/',
    maxBuffer: mostBytes,
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  // null where there is no such program
  return stdout === null ? undefined : verdictOf(stdout, files.length);
}

// the system's own, whatever the PATH contains
const program = '/bin/tar';
const options = [
  '--create',
  '--file=-',
  '--dereference',
  '--format=posix',
  // without these, headers beside each file would hold times alone
  '--pax-option=delete=atime,delete=ctime,delete=mtime',
  '--acls',
  '--selinux',
  '--xattrs',
  '--xattrs-include=*',
];
// the attributes of a file take at most 64 KiB each on file systems with a limit
const mostBytes = 256 * 1024;
const patienceMs = 2000;

const blockBytes = 512;
const sizeAt = 124;
const typeAt = 156;
const records = /(?:^|\n)\d+ (?:SCHILY|RHT)\./;

/**
 * Returns true when a header has more than a plain file's, false when there are as many as files, undefined otherwise.
 */
function verdictOf(archive: Buffer, files: number): boolean | undefined {
  let seen = 0;
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const type = archive.toString('latin1', at + typeAt, at + typeAt + 1);
    const size = Number.parseInt(archive.toString('latin1', at + sizeAt, at + sizeAt + 11), 8);
    const content = at + blockBytes;
    if (type === 'x') {
      if (records.test(archive.toString('latin1', content, content + size))) return true;
    } else if (type !== '0') return undefined;
    else if (++seen === files) return false;
    at = content + Math.ceil(size / blockBytes) * blockBytes;
  }
  return undefined;
}
