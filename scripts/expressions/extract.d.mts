export interface Written {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}
export interface Made {
  readonly file: string;
  readonly line: number;
  readonly call: string;
}
export function expressionsBelow(root: string): (Written | Made)[];
export function expressionsIn(text: string, file: string): (Written | Made)[];
