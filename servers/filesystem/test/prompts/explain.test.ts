import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { inEveryRevision, Scene } from '../harness.ts';

const scene = new Scene();
const uriOf = (path: string): string => pathToFileURL(path).href;

inEveryRevision((revision) => {
  const promptOf = async (args: Record<string, string>, setting: object = {}) => {
    const client = await scene.client({ revision, ...setting });
    const { messages } = await client.getPrompt('explain_file', args);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'user']);
    return {
      text: (messages[0]!.content as { text: string }).text,
      resource: (messages[1]!.content as { resource: { uri: string; mimeType: string; text: string } })
        .resource,
      bytes: Buffer.byteLength(JSON.stringify(messages)),
    };
  };

  test('the text of the file is a resource, with the question', async () => {
    const path = scene.put('a b.md', '# Über\r\n\ttext');
    for (const named of [path, 'a b.md', uriOf(path)]) {
      const { text, resource } = await promptOf({ path: named, question: 'why the tab?' });
      expect(resource).toEqual({ uri: uriOf(path), mimeType: 'text/markdown', text: '# Über\r\n\ttext' });
      expect(text).toContain(`Explain the file ${named}. Its text follows.`);
      expect(text).toContain('why the tab?');
    }
  });

  test('a file over the size limit is cut, and the prompt names the call for the rest', async () => {
    const path = scene.put('long.txt', Array.from({ length: 5000 }, (_, n) => `line ${n + 1}\n`).join(''));
    const { text, resource, bytes } = await promptOf({ path }, { maxOutput: 8192 });
    expect(bytes).toBeLessThanOrEqual(8192);
    expect(resource.text.length).toBeGreaterThan(4000);
    const line = Number(/up to line (\d+) follows/.exec(text)?.[1]);
    expect(text).toContain(`Read the rest by read_text_file with startLine ${line + 1}.`);
    expect(resource.text.split('\n').filter((one) => one !== '').length).toBe(line);
  });

  test('the rest begins with the line that was cut', async () => {
    const path = scene.put('wide.txt', `first\n${'x'.repeat(20_000)}`);
    const { text, resource } = await promptOf({ path }, { maxOutput: 8192 });
    expect(resource.text.startsWith('first\nxxx')).toBe(true);
    expect(text).toContain(
      'Its text up to line 2 follows; the file has 20006 bytes. Read the rest by read_text_file with startLine 2.',
    );
  });

  test.each([
    [{}, 'argument path is required'],
    [{ path: ' ' }, 'path is blank; set it to the file'],
    [{ path: 'none' }, 'no such file or folder: none'],
    [{ path: 'leak' }, 'no such file or folder: leak'],
    [{ path: '.env' }, 'no such file or folder: .env'],
    [{ path: 'dir' }, 'not a file: dir; use the prompt explore for folders'],
    [{ path: 'binary' }, 'not a text file: binary; call read_media_file to read its bytes'],
    [
      { path: 'binary', lines: '3' },
      'unknown argument "lines"; the arguments of this prompt are path, question',
    ],
  ])('%j is refused with one line', async (args, message) => {
    scene.put('.env', 'secret');
    scene.put('dir/inner');
    scene.put('binary', Buffer.from([1, 0, 2]));
    writeFileSync(join(scene.outside, 'far'), 'secret');
    symlinkSync(join(scene.outside, 'far'), scene.at('leak'));
    const client = await scene.client({ revision });
    const refused = client.getPrompt('explain_file', args as Record<string, string>);
    await expect(refused).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`^${message.replace(/[.*?]/g, '\\$&')}[^\n]*$`)),
    });
  });
});
