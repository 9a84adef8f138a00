import { ToolError, template } from '@rootbound/protocol';
import type { Notes } from '../notes.ts';

export const uriOf = (name: string): string => `note:///${name}`;

/** Each note as a resource, with its names completed. */
export const noteTemplate = template<Notes>({
  uriTemplate: 'note:///{name}',
  name: 'note',
  title: 'Note',
  description: 'The text of a note',
  mimeType: 'text/plain',
  complete: { name: (typed, { scope }) => scope.names().filter((name) => name.startsWith(typed)) },
  read: (_uri, { scope }, { name = '' }) => {
    const text = scope.read(name);
    if (text === undefined) throw new ToolError(`there is no note ${name}`, { code: 'not-found' });
    return text;
  },
});
