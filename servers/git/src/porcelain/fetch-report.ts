/** What a fetch did, or would do, with one reference. */
export interface FetchedRef {
  readonly what: 'moved' | 'forced' | 'removed' | 'tag' | 'new' | 'rejected';
  /** as git tells it, without refs/heads/, refs/tags/ or refs/remotes/ */
  readonly name: string;
  /** `[new branch]`, or both ids */
  readonly summary: string;
  readonly reason: string | undefined;
}

const flags = { ' ': 'moved', '+': 'forced', '-': 'removed', t: 'tag', '*': 'new', '!': 'rejected' } as const;

// what the other side says begins with `remote: `, and no name of a reference holds a space
const pattern = /^ ([ +\-t*!]) (\[[^\]]+\]|[0-9a-f]+\.{2,3}[0-9a-f]+) +\S+ +-> (\S+)(?: +\((.*)\))?$/;

/** Reads what a fetch in the C locale printed on stderr with `fetch.output=full`. */
export function parseFetchReport(stderr: string): FetchedRef[] {
  return stderr.split(/[\r\n]+/).flatMap((line) => {
    const [, flag, summary, name, reason] = pattern.exec(line.trimEnd()) ?? [];
    if (flag === undefined) return [];
    return { what: flags[flag as keyof typeof flags], name: name!, summary: summary!, reason };
  });
}
