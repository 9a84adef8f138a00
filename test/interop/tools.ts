import { join } from 'node:path';
import type { Workspace } from './workspace.ts';

export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

/** A successful call of every tool, in the order of the list. */
export function everyTool({ root, inner, notes, inside, picture }: Workspace): ToolCall[] {
  const edits = [{ oldText: 'alpha', newText: 'omega' }];
  return [
    { name: 'read_text_file', args: { path: notes, tail: 1 } },
    { name: 'read_media_file', args: { path: picture } },
    { name: 'read_multiple_files', args: { paths: [notes, inside] } },
    { name: 'write_file', args: { path: join(root, 'made.txt'), content: 'made\n' } },
    { name: 'edit_file', args: { path: notes, edits } },
    { name: 'create_directory', args: { path: join(root, 'made') } },
    { name: 'list_directory', args: { path: root, details: true } },
    { name: 'directory_tree', args: { path: root } },
    {
      name: 'move_file',
      args: { source: join(root, 'made.txt'), destination: join(root, 'made', 'moved.txt') },
    },
    { name: 'copy_file', args: { source: notes, destination: join(root, 'copied.txt') } },
    { name: 'set_file_attributes', args: { path: notes, modified: 'now' } },
    { name: 'search_files', args: { path: root, pattern: '*.txt' } },
    { name: 'search_content', args: { path: root, pattern: 'inside', contextLines: 1 } },
    { name: 'get_file_info', args: { path: inner } },
    { name: 'list_allowed_directories', args: {} },
  ];
}

/** A call outside the root for every tool that fails for such a path. */
export function everyToolOutside({ elsewhere, secret }: Workspace): ToolCall[] {
  const edits = [{ oldText: 'secret', newText: 'taken' }];
  return [
    { name: 'read_text_file', args: { path: secret } },
    { name: 'read_media_file', args: { path: secret } },
    { name: 'write_file', args: { path: secret, content: 'taken\n' } },
    { name: 'edit_file', args: { path: secret, edits } },
    { name: 'create_directory', args: { path: join(elsewhere, 'made') } },
    { name: 'list_directory', args: { path: elsewhere } },
    { name: 'directory_tree', args: { path: elsewhere } },
    { name: 'move_file', args: { source: secret, destination: join(elsewhere, 'moved.txt') } },
    { name: 'copy_file', args: { source: secret, destination: join(elsewhere, 'copied.txt') } },
    { name: 'set_file_attributes', args: { path: secret, modified: 'now' } },
    { name: 'search_files', args: { path: elsewhere, pattern: '*.txt' } },
    { name: 'search_content', args: { path: elsewhere, pattern: 'secret' } },
    { name: 'get_file_info', args: { path: secret } },
  ];
}
