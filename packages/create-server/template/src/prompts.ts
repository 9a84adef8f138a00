import { prompt } from '@rootbound/protocol';
import type { Notes } from './notes.ts';

/** Asks the model for a summary of a note that the user picks. */
export const summarize = prompt<Notes>({
  name: 'summarize',
  title: 'Summarize a note',
  description: 'A summary of one note, in one sentence',
  arguments: [
    {
      name: 'note',
      description: 'Its name',
      required: true,
      complete: (typed, { scope: notes }) => notes.names().filter((name) => name.startsWith(typed)),
    },
  ],
  get: ({ note = '' }, { scope: notes }) => `Summarize this note in one sentence:\n\n${notes.read(note)}`,
});
