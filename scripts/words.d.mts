export const REPLACED: ReadonlyMap<string, string>;
export function findFaults(file: string, text: string): string[];
