import type { Finding } from './row.mjs';

export function renderPage(page: string, findings: readonly Finding[], measured: string): string;
export function readPage(file: string | URL): string;
