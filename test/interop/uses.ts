import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ToolResult } from './session.ts';
import type { Workspace } from './workspace.ts';

/** Calls a tool through the client. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<ToolResult>;

/** The calls of one client on one workspace. */
export class Uses {
  readonly #call: CallTool;
  readonly #workspace: Workspace;

  constructor(call: CallTool, workspace: Workspace) {
    this.#call = call;
    this.#workspace = workspace;
  }

  /** Returns the text of a successful call. */
  async #text(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await this.#call(name, args);
    expect(result.isError ?? false, `${name}: ${result.content[0]?.text}`).toBe(false);
    return result.content.map(({ text = '' }) => text).join('\n');
  }

  /** Returns the text of a failed call. */
  async #refusal(name: string, args: Record<string, unknown>): Promise<string> {
    const { isError, content } = await this.#call(name, args);
    expect([name, isError]).toEqual([name, true]);
    return content[0]?.text ?? '';
  }

  async reads(): Promise<void> {
    const { root, notes, inside } = this.#workspace;
    const lines = join(root, 'lines.txt');
    writeFileSync(lines, Array.from({ length: 400 }, (_, index) => `line ${index + 1}\n`).join(''));
    const latin = join(root, 'latin1.txt');
    writeFileSync(latin, 'caf\xe9\n', 'latin1');
    expect(await this.#text('read_text_file', { path: lines, head: 1 })).toContain('line 1\n');
    expect(await this.#text('read_text_file', { path: lines, tail: 1 })).toContain('line 400\n');
    expect(await this.#text('read_text_file', { path: lines, startLine: 7, endLine: 8 })).toContain(
      'line 7\nline 8\n',
    );
    expect(await this.#text('read_text_file', { path: latin, encoding: 'latin1' })).toContain('café');
    expect(await this.#text('read_text_file', { path: notes, lineNumbers: true })).toMatch(/1\W+alpha/);
    expect(await this.#text('read_file', { path: notes })).toBe('alpha\nbeta\n');
    const first = await this.#text('read_text_file', { path: lines });
    const [, cursor] = /cursor (\S+?)\]/.exec(first) ?? [];
    expect(await this.#text('read_text_file', { path: lines, cursor })).not.toContain('line 1\n');
    const part = await this.#call('read_media_file', { path: notes, offset: 6, length: 4 });
    expect(JSON.stringify(part)).toContain(Buffer.from('beta').toString('base64'));
    expect(await this.#text('read_multiple_files', { paths: [notes, inside, 'none.txt'] })).toMatch(
      /alpha.*inside.*none\.txt: /s,
    );
  }

  async writes(): Promise<void> {
    const { root, notes } = this.#workspace;
    const made = join(root, 'new', 'deep', 'made.txt');
    await this.#text('write_file', { path: made, content: 'one\n', createParents: true });
    await this.#refusal('write_file', { path: made, content: 'no', exclusive: true });
    await this.#text('write_file', { path: made, content: 'two\n', append: true });
    const bytes = Buffer.from([0, 255, 10]);
    await this.#text('write_file', {
      path: join(root, 'bytes'),
      content: bytes.toString('base64'),
      encoding: 'base64',
    });
    expect([readFileSync(made, 'utf8'), readFileSync(join(root, 'bytes'))]).toEqual(['one\ntwo\n', bytes]);
    const [, etag] = /etag: (\S+)/.exec(await this.#text('get_file_info', { path: notes })) ?? [];
    await this.#text('write_file', { path: notes, content: 'alpha\ngamma\n', ifMatch: etag });
    await this.#refusal('write_file', { path: notes, content: 'stale', ifMatch: etag });
    const copy = join(root, 'copy');
    await this.#text('copy_file', { source: join(root, 'new'), destination: copy });
    await this.#refusal('copy_file', { source: notes, destination: copy });
    const copied = join(copy, 'deep', 'made.txt');
    await this.#text('set_file_attributes', {
      path: copied,
      mode: '600',
      modified: '2001-02-03T04:05:06Z',
    });
    const { mode, mtimeMs } = statSync(copied);
    expect([mode & 0o777, mtimeMs]).toEqual([0o600, Date.UTC(2001, 1, 3, 4, 5, 6)]);
    await this.#text('move_file', { source: copied, destination: join(root, 'moved.txt') });
    await this.#refusal('delete_file', { path: join(root, 'new') });
    await this.#text('delete_file', { path: join(root, 'new'), recursive: true });
    expect(await this.#text('list_directory', { path: root, limit: 2 })).toMatch(/more with cursor/);
    expect(await this.#text('list_directory_with_sizes', { path: copy })).toContain(
      'Total: 0 files, 1 directories',
    );
  }

  async edits(): Promise<void> {
    const path = join(this.#workspace.root, 'edited.txt');
    writeFileSync(path, 'a\nb\na\nc\n');
    const edit = (...edits: object[]): Record<string, unknown> => ({ path, edits });
    expect(await this.#refusal('edit_file', edit({ oldText: 'a', newText: 'x' }))).toMatch(/1.*3/s);
    expect(await this.#refusal('edit_file', edit({ oldText: 'd', newText: 'x' }))).not.toBe('');
    const dry = { ...edit({ oldText: 'b', newText: 'x' }), dryRun: true };
    expect(await this.#text('edit_file', dry)).toContain('+x');
    expect(readFileSync(path, 'utf8')).toBe('a\nb\na\nc\n');
    await this.#text('edit_file', edit({ oldText: 'a', newText: 'x', replaceAll: true }));
    await this.#text('edit_file', edit({ startLine: 2, endLine: 3, newText: 'y\n' }));
    await this.#text('edit_file', edit({ insertLine: 0, newText: 'top\n' }));
    expect(readFileSync(path, 'utf8')).toBe('top\nx\ny\nc\n');
  }

  async finds(): Promise<void> {
    const { root } = this.#workspace;
    writeFileSync(join(root, 'needle.md'), 'hay\na Needle\nhay\n');
    expect(await this.#text('search_files', { path: root, pattern: '**/*.md' })).toContain('needle.md');
    const pattern = 'needle|nadel';
    const found = { path: root, pattern, regex: true, ignoreCase: true };
    expect(await this.#text('search_content', { ...found, contextLines: 1 })).toContain('a Needle');
    for (const output of ['files', 'counts'])
      expect(await this.#text('search_content', { ...found, output })).toContain('needle.md');
    expect(await this.#text('directory_tree', { path: root, depth: 1 })).toContain('inner/');
    expect(await this.#text('list_allowed_directories', {})).toContain(root);
  }
}
