import type { Offers } from './workspace.ts';

/** What the options make of this server. */
export interface InstructionOptions {
  readonly readOnly: boolean;
  readonly offers: Offers;
  readonly trash: boolean;
  /** what does not exist for the client, in words */
  readonly denied: string | undefined;
}

/** What a model is told of this server at the start: how to begin, and what would surprise it. */
export function instructionsFor({ readOnly, offers, trash, denied }: InstructionOptions): string {
  const changesBy = (tool: string): boolean => !readOnly && offers(tool);
  const changes = changesBy('write_file') || changesBy('edit_file');
  const roots = offers('list_allowed_directories') ? '; list_allowed_directories names them' : '';
  const sentences = [
    `${changes ? 'Reads, finds and changes' : 'Reads and finds'} files below the roots${roots}.`,
    'Paths may be absolute, relative to a root, or file:// URIs.',
    'Results over the size limit say truncated and give a nextCursor: pass it back as cursor.',
  ];
  if (changesBy('edit_file'))
    sentences.push('Before editing, read the part of the file; edit_file wants exact text.');
  if (changesBy('delete_file'))
    sentences.push(trash ? 'delete_file moves to the trash.' : 'delete_file removes for good.');
  if (denied !== undefined) sentences.push(`${denied} are denied and look as if they were missing.`);
  sentences.push('Every file is also a resource (file:///…) that can be subscribed to.');
  return sentences.join(' ');
}
