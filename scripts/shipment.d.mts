export interface Pending {
  changes: { name: string; kind: string; summary: string }[];
  versions: string[];
}

export function listRelease(): Promise<string>;
export function pendingIn(checkout: string): Promise<Pending>;
export function renderPending(pending: Pending): string;
