import { notFound } from '@rootbound/kit/boundary';
import { template } from '@rootbound/protocol';
import type { Notes } from './notes.ts';

const PREFIX = 'note:///';

/** Returns the URI of a note. */
export function uriOf(name: string): string {
  return `${PREFIX}${encodeURIComponent(name)}`;
}

/** Returns the name of the note with this URI. */
export function nameOf(uri: string): string {
  if (!uri.startsWith(PREFIX)) throw notFound(uri);
  return decodeURIComponent(uri.slice(PREFIX.length));
}

/** Each note as a resource; clients complete its name. */
export const noteTemplate = template<Notes>({
  uriTemplate: `${PREFIX}{name}`,
  name: 'note',
  title: 'Note',
  description: 'The text of a note',
  mimeType: 'text/markdown',
  complete: { name: (typed, { scope: notes }) => notes.names().filter((name) => name.startsWith(typed)) },
  read: (_uri, { scope: notes }, { name = '' }) => notes.read(name),
});
