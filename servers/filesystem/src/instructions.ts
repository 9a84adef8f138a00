import type { Offers } from './workspace.ts';

/** The facts about a server that its instructions mention. */
export interface InstructionOptions {
  readonly readOnly: boolean;
  readonly offers: Offers;
  readonly trash: boolean;
  /** the denied names, in words */
  readonly denied: string | undefined;
}

/** Returns the instructions that the server sends to a model: how to begin, and behaviour that could surprise it. */
export function instructionsFor({ readOnly, offers, trash, denied }: InstructionOptions): string {
  const changesBy = (tool: string): boolean => !readOnly && offers(tool);
  const changes = changesBy('write_file') || changesBy('edit_file');
  const roots = offers('list_allowed_directories') ? '; list_allowed_directories names them' : '';
  const sentences = [
    `${changes ? 'Reads, finds and changes' : 'Reads and finds'} files below the roots${roots}.`,
    'Paths may be absolute, relative to a root, or file:// URIs.',
    'A result over the size limit is truncated and has a nextCursor: pass it as cursor.',
  ];
  if (changesBy('edit_file'))
    sentences.push('Read the lines before you edit them: edit_file needs the exact text.');
  if (changesBy('delete_file'))
    sentences.push(trash ? 'delete_file moves to the trash.' : 'delete_file deletes permanently.');
  if (denied !== undefined) sentences.push(`${denied} are denied and reported as missing.`);
  sentences.push('Each file is also a resource (file:///…) that you can subscribe to.');
  return sentences.join(' ');
}
