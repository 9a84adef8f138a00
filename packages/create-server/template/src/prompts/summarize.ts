import { prompt, ToolError } from '@rootbound/protocol';
import type { Notes } from '../notes.ts';

/** Has the model summarize a note that the user picks. */
export const summarize = prompt<Notes>({
  name: 'summarize',
  title: 'Summarize a note',
  description: 'A summary of one note, in one sentence',
  arguments: [
    {
      name: 'note',
      description: 'Its name',
      required: true,
      complete: (typed, { scope }) => scope.names().filter((name) => name.startsWith(typed)),
    },
  ],
  get: ({ note = '' }, { scope }) => {
    const text = scope.read(note);
    if (text === undefined) throw new ToolError(`there is no note ${note}`, { code: 'not-found' });
    return `Summarize this note in one sentence:\n\n${text}`;
  },
});
