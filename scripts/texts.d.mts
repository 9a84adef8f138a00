export interface Text {
  readonly kind: string;
  readonly label: string;
  readonly text: string;
  readonly line: number;
}
export function textsIn(file: string, code: string): Text[];
