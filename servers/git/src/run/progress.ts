/** The progress of one stage of git's work. */
export interface Progress {
  /** in git's words, such as `Receiving objects` */
  readonly stage: string;
  /** whether it is the other repository's stage */
  readonly remote: boolean;
  readonly done: number;
  /** undefined while git does not know */
  readonly total: number | undefined;
}

const pattern = /^(remote: )?([A-Z][\w ,/'-]*?): +(?:\d+% \((\d+)\/(\d+)\)|(\d+))(?:[,. ]|$)/;
/** characters; no line of progress is longer */
const longest = 4096;

/** Reads the progress that git writes to stderr, chunk by chunk; reports only the newest of each stage in a chunk. */
export function progressReader(onProgress: (progress: Progress) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString()).split(/[\r\n]/);
    rest = lines.pop()!.slice(-longest);
    const newest = new Map<string, Progress>();
    for (const line of lines) {
      const progress = parseProgress(line);
      if (progress !== undefined) newest.set(`${progress.remote} ${progress.stage}`, progress);
    }
    for (const progress of newest.values()) onProgress(progress);
  };
}

/** Parses a line such as `remote: Counting objects: 12% (3/25)` or `Enumerating objects: 25, done.` */
export function parseProgress(line: string): Progress | undefined {
  const [, remote, stage, done, total, only] = pattern.exec(line) ?? [];
  if (stage === undefined) return undefined;
  return {
    stage,
    remote: remote !== undefined,
    done: Number(done ?? only),
    total: total === undefined ? undefined : Number(total),
  };
}
