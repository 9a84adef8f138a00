/** Returns a path of Windows in its normal form: backslashes, a capital drive letter, no `\\?\` in front. */
export function windowsForm(path: string): string {
  return path
    .replaceAll('/', '\\')
    .replace(/^(?:\\\\\?|\\\?\?)\\(?:UNC\\(?=[^\\])|(?=[a-z]:(?:\\|$)))/i, (prefix) =>
      prefix.length > 4 ? '\\\\' : '',
    )
    .replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Returns why a path in that form cannot name a file, and the alternative; undefined when it can. */
export function windowsProblem(path: string): string | undefined {
  if (/^\\(?:\\[?.]|\?\?)(?:\\|$)/.test(path)) return String.raw`it names a device; write C:\folder\name`;
  if (/^[a-z]:(?!\\)/i.test(path)) return `write ${path.slice(0, 2)}\\ for the top of the drive`;
  if (path.startsWith('\\\\')) {
    if (!/^\\\\[^\\]+\\[^\\]/.test(path)) return String.raw`a network path is \\server\share\name`;
  } else if (path.startsWith('\\')) return withDrive(path);
  if (path.length > longestPath) return `a path has at most ${longestPath} characters`;
  for (const name of path.replace(/^[a-z]:/i, '').split('\\')) {
    const problem = nameProblem(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const longestPath = 32_000;

// a name counts up to its first dot, and spaces before that do not
const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return undefined;
  if (/[. ]$/.test(name)) return 'Windows drops a dot or space at the end of a name; leave it out';
  // a colon would open another stream of the file; what comes before the space are control characters
  if (/[<>:"|?*]|[^ -\uffff]/.test(name)) return 'a name on Windows has none of < > : " | ? *';
  if (reserved.test(name)) return 'the name is that of a device on Windows';
  return name.length > 255 ? 'a name has at most 255 characters' : undefined;
}

function withDrive(path: string): string {
  const foreign = /^\\(?:mnt\\|cygdrive\\)?([a-z])(?:\\(.*)|)$/is.exec(path);
  if (foreign === null) return String.raw`name the drive, as in C:\folder`;
  return `write ${foreign[1]!.toUpperCase()}:\\${foreign[2] ?? ''}`;
}
