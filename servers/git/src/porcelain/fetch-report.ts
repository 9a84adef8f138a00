/** The outcome of a fetch, or of its dry run, for one reference. */
export interface FetchedRef {
  readonly what: 'moved' | 'forced' | 'removed' | 'tag' | 'new' | 'rejected';
  /** as git tells it, without refs/heads/, refs/tags/ or refs/remotes/ */
  readonly name: string;
  /** `[new branch]`, or both ids as git shortens them */
  readonly summary: string;
  readonly reason: string | undefined;
}

/** no line of the report is as long: git ends names of references at 4 KiB */
const longest = 65_536;
const nothing = Buffer.alloc(0);

const flags = { ' ': 'moved', '+': 'forced', '-': 'removed', t: 'tag', '*': 'new', '!': 'rejected' } as const;

// what the other side says begins with `remote: `, and no name of a reference holds a space
const pattern = /^ ([ +\-t*!]) (\[[^\]]+\]|[0-9a-f]+\.{2,3}[0-9a-f]+) +(\S+) +-> (\S+)(?: +\((.*)\))?$/;

/** Reads what a fetch in the C locale prints on stderr, chunk by chunk: it may be long. */
export class FetchReport {
  readonly refs: FetchedRef[] = [];
  #rest: Buffer = nothing;

  add(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1;
    this.#rest = bytes.subarray(end);
    for (const line of bytes.toString('utf8', 0, end).split(/[\r\n]+/)) {
      const [, flag, summary, source, shown, reason] = pattern.exec(line.trimEnd()) ?? [];
      if (flag === undefined) continue;
      // of `fetch.output=compact`: what both names have in common is written once
      const name = shown!.replace('*', () => source!);
      this.refs.push({ what: flags[flag as keyof typeof flags], name, summary: summary!, reason });
    }
    if (this.#rest.length > longest) this.#rest = nothing;
  }
}
