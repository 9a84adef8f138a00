import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Call } from './calls.ts';
import { document } from './documents.ts';

/** Whether tests write the printed texts of pages instead of comparing them. */
const updates = process.env.ROOTBOUND_UPDATE === '1';

/**
 * Compares the fenced block of a page that has this info string with the text that a run printed; `mask` hides parts
 * that differ in each run. With ROOTBOUND_UPDATE=1 it writes the block instead.
 */
export function expectBlock(
  page: string,
  info: string,
  printed: string,
  mask: (text: string) => string = (text) => text,
): void {
  const [block] = new RegExp(`^\`\`\`${info}\\n[\\s\\S]*?^\`\`\`$`, 'm').exec(document(page).text) ?? [];
  const wanted = `\`\`\`${info}\n${printed}\`\`\``;
  if (block === undefined || !updates) expect(mask(block ?? 'no such block')).toBe(mask(wanted));
  else if (mask(block) !== mask(wanted)) replace(page, block, wanted);
}

/** Compares the text that a page has below a call with that of the result. With ROOTBOUND_UPDATE=1 it writes it. */
export function expectCall(page: string, { line, prints }: Call, text: string): void {
  if (!updates) expect(text).toBe(prints);
  else if (text !== prints) replace(page, blockOf(line, prints), blockOf(line, text));
}

function blockOf(line: string, text: string): string {
  return [line, ...text.split('\n').map((one) => (one === '' ? '' : `  ${one}`))].join('\n');
}

function replace(page: string, before: string, after: string): void {
  const { path, text } = document(page);
  expect(text).toContain(before);
  writeFileSync(
    path,
    text.replace(before, () => after),
  );
}
