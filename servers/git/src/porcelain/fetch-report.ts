/** The outcome of a fetch, or of its dry run, for one reference. */
export interface FetchedRef {
  readonly what: 'moved' | 'forced' | 'removed' | 'tag' | 'new' | 'rejected';
  /** the short name, without refs/heads/, refs/tags/ or refs/remotes/ */
  readonly name: string;
  /** `[new branch]`, or both abbreviated ids */
  readonly summary: string;
  readonly reason: string | undefined;
}

/** no line of the report is longer: git limits names of references to 4 KiB */
const longest = 65_536;
const nothing = Buffer.alloc(0);

const flags = { ' ': 'moved', '+': 'forced', '-': 'removed', t: 'tag', '*': 'new', '!': 'rejected' } as const;

// messages of the other side begin with `remote: `, and names of references have no space
const pattern = /^ ([ +\-t*!]) (\[[^\]]+\]|[0-9a-f]+\.{2,3}[0-9a-f]+) +(\S+) +-> (\S+)(?: +\((.*)\))?$/;

/** Reads the report of a fetch in the C locale from stderr, chunk by chunk, as it may be long. */
export class FetchReport {
  readonly refs: FetchedRef[] = [];
  #rest: Buffer = nothing;

  add(chunk: Buffer): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1;
    this.#rest = bytes.subarray(end);
    for (const line of bytes.toString('utf8', 0, end).split(/[\r\n]+/)) {
      const [, flag, summary, source, short, reason] = pattern.exec(line.trimEnd()) ?? [];
      if (flag === undefined) continue;
      // of `fetch.output=compact`: the common part of both names is written once
      const name = short!.replace('*', () => source!);
      this.refs.push({ what: flags[flag as keyof typeof flags], name, summary: summary!, reason });
    }
    if (this.#rest.length > longest) this.#rest = nothing;
  }
}
