import { document } from '../docs/documents.ts';

/** What the package says in its README about one side of its own transports, for sockets. */
export function documentedTransports(...rows: string[]): string[] {
  const { text } = document('packages/protocol/README.md');
  return rows.map((row) => {
    const found = text.split('\n').find((line) => line.startsWith(`| ${row} |`));
    if (found === undefined) throw new Error(`the README says nothing of ${row}`);
    return found;
  });
}

/** The text of a document, or of a source with its comments, with its lines joined. */
export function written(name: string): string {
  return document(name).text.replace(/\s*\n\s*(?:\* )?/g, ' ');
}
