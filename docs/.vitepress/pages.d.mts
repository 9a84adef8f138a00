export const REPOSITORY: string;
export const sidebar: readonly { text: string; items: readonly { text: string; link: string }[] }[];
export function addressOf(path: string): string | undefined;
