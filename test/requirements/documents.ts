import { document } from '../docs/documents.ts';

/** Returns the section of the package's README about custom transports on one side. */
export function documentedTransports(...rows: string[]): string[] {
  const { text } = document('packages/protocol/README.md');
  return rows.map((row) => {
    const found = text.split('\n').find((line) => line.startsWith(`| ${row} |`));
    if (found === undefined) throw new Error(`the README says nothing of ${row}`);
    return found;
  });
}

/** Returns the text of a document or source file, with its lines joined. */
export function written(name: string): string {
  return document(name).text.replace(/\s*\n\s*(?:\* )?/g, ' ');
}
