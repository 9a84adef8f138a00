import { expect, test } from 'vitest';
import { inEveryRevision, newest, Scene } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  const instructionsOf = async (setting: object = {}): Promise<string> => {
    const client = await scene.client({ revision, ...setting });
    if (revision !== newest) return client.instructions ?? '';
    return (await client.request('server/discover', {})).instructions ?? '';
  };

  test('the instructions describe how to begin, and behaviour that depends on the options', async () => {
    const usual = await instructionsOf();
    expect(usual).toMatch(
      /^Reads, finds and changes files below the roots; list_allowed_directories names them\./,
    );
    expect(usual).toContain('Secrets and .git are denied');
    expect(usual).not.toContain('delete_file');
    expect(await instructionsOf({ extra: { 'no-default-deny': true } })).not.toContain('denied');
    expect(await instructionsOf({ extra: { 'allow-delete': true } })).toContain(
      'delete_file deletes permanently',
    );
    expect(await instructionsOf({ extra: { trash: true } })).toContain('delete_file moves to the trash');
    const reading = await instructionsOf({ readOnly: true, extra: { 'allow-delete': true } });
    expect(reading).toMatch(/^Reads and finds files below the roots/);
    expect(reading).not.toMatch(/edit_file|delete_file/);
    expect(usual.length).toBeLessThan(600);
  });
});
