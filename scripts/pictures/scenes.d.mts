export interface Scene {
  readonly name: string;
  readonly title: string;
  readonly steps: readonly (readonly [line: string, status: number])[];
}
export const scenes: readonly Scene[];
export function record(scene: Scene): Promise<{ svg: string; statuses: (number | null)[] }>;
