import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Ear, openHub, scratch } from './scene.ts';

function replace(path: string, content: string): void {
  writeFileSync(`${path}.tmp`, content);
  renameSync(`${path}.tmp`, path);
}

describe('a watched file', () => {
  test('is heard at each of many writes in place', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'start');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let n = 0; n < 100; n += 1) await ear.hears(`write ${n}`, () => writeFileSync(file, `write ${n}`));
    expect(ear.heard.at(-1)).toBe('write 99');
  });

  test('is heard at each of many atomic replacements', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'start');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let n = 0; n < 100; n += 1) await ear.hears(`copy ${n}`, () => replace(file, `copy ${n}`));
    expect(ear.heard.at(-1)).toBe('copy 99');
  });

  test('is heard when deleted and when made again, many times', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'start');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let n = 0; n < 50; n += 1) {
      await ear.hears('missing', () => rmSync(file));
      await ear.hears(`life ${n}`, () => writeFileSync(file, `life ${n}`));
    }
    expect(new Set(ear.heard).size).toBe(51);
  });

  test('is heard when renamed away and when renamed back', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'same');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let n = 0; n < 20; n += 1) {
      await ear.hears('missing', () => renameSync(file, `${file}.away`));
      await ear.hears('same', () => renameSync(`${file}.away`, file));
    }
    expect(ear.heard.at(-1)).toBe('same');
  });

  test('is heard when another content of the same size follows at once', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, '000');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let n = 100; n < 400; n += 1) await ear.hears(String(n), () => writeFileSync(file, String(n)));
    expect(ear.heard.at(-1)).toBe('399');
  });

  test('is heard when it is written again, with the same size, by the one who is called', async () => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'aaa');
    const { hub } = openHub();
    let written = false;
    await hub.watch(file, 'file', () => {
      if (!written) writeFileSync(file, 'ccc');
      written = true;
    });
    const ear = await Ear.on(hub, file, 'file');
    await ear.hears('ccc', () => writeFileSync(file, 'bbb'));
    expect(ear.heard.at(-1)).toBe('ccc');
  });

  test('is heard when a directory takes its place, and when a file does again', async () => {
    const path = join(scratch(), 'thing');
    writeFileSync(path, 'file');
    const ear = await Ear.on(openHub().hub, path);
    await ear.hears('child', () => {
      rmSync(path);
      mkdirSync(path);
      writeFileSync(join(path, 'child'), '');
    });
    await ear.hears('child second', () => writeFileSync(join(path, 'second'), ''));
    await ear.hears('file again', () => {
      rmSync(path, { recursive: true });
      writeFileSync(path, 'file again');
    });
    expect(ear.heard.at(-1)).toBe('file again');
  });

  test.each([
    [
      'truncates and appends in steps',
      (file: string) => {
        truncateSync(file, 0);
        appendFileSync(file, 'sa');
        appendFileSync(file, 'ved');
      },
    ],
    [
      'moves the old one to a backup and writes a new one',
      (file: string) => {
        writeFileSync(`${file}.4913`, '');
        unlinkSync(`${file}.4913`);
        renameSync(file, `${file}~`);
        writeFileSync(file, 'saved');
        unlinkSync(`${file}~`);
      },
    ],
    [
      'writes a hidden temporary file and moves it over',
      (file: string) => {
        writeFileSync(`${file}.swp`, 'saved');
        chmodSync(`${file}.swp`, 0o600);
        renameSync(`${file}.swp`, file);
      },
    ],
    [
      'deletes and writes',
      (file: string) => {
        unlinkSync(file);
        writeFileSync(file, 'saved');
      },
    ],
  ])('is heard whenever an editor %s', async (_how, save) => {
    const file = join(scratch(), 'notes.txt');
    writeFileSync(file, 'start');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let n = 0; n < 5; n += 1) {
      await ear.hears('saved', () => save(file));
      await ear.hears('opened', () => writeFileSync(file, 'opened'));
    }
    expect(ear.heard.at(-1)).toBe('opened');
  });
});

describe('a missing file', () => {
  test('is heard when it appears', async () => {
    const file = join(scratch(), 'later.txt');
    const ear = await Ear.on(openHub().hub, file, 'missing');
    await ear.hears('here', () => writeFileSync(file, 'here'));
    expect(ear.heard).toEqual(['here']);
  });

  test('is heard when it came and went before anybody could look', async () => {
    const file = join(scratch(), 'later.txt');
    const ear = await Ear.on(openHub().hub, file, 'missing');
    await ear.hears('missing', () => {
      writeFileSync(file, 'here');
      rmSync(file);
    });
    expect(ear.heard).toEqual(['missing']);
  });

  test('is heard when it appears together with all directories above it', async () => {
    const file = join(scratch(), 'a/b/c/later.txt');
    const ear = await Ear.on(openHub().hub, file, 'missing');
    await ear.hears('here', () => {
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, 'here');
    });
    await ear.hears('changed', () => writeFileSync(file, 'changed'));
    expect(ear.heard).toEqual(['here', 'changed']);
  });

  test('is heard when the directories above it appear one by one', async () => {
    const top = scratch();
    const { hub } = openHub();
    const ear = await Ear.on(hub, join(top, 'a/b/later.txt'), 'missing');
    const upper = await Ear.on(hub, join(top, 'a'), 'missing');
    await upper.hears('', () => mkdirSync(join(top, 'a')));
    await upper.hears('b', () => mkdirSync(join(top, 'a/b')));
    await ear.hears('here', () => writeFileSync(join(top, 'a/b/later.txt'), 'here'));
    expect(ear.heard).toEqual(['here']);
  });
});

describe('a file below directories', () => {
  test('is heard when its directory is removed and made again, many times', async () => {
    const directory = join(scratch(), 'work');
    const file = join(directory, 'notes.txt');
    mkdirSync(directory);
    writeFileSync(file, 'start');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let n = 0; n < 20; n += 1) {
      await ear.hears('missing', () => rmSync(directory, { recursive: true }));
      await ear.hears(`life ${n}`, () => {
        mkdirSync(directory);
        writeFileSync(file, `life ${n}`);
      });
      await ear.hears(`then ${n}`, () => writeFileSync(file, `then ${n}`));
    }
    expect(ear.heard.at(-1)).toBe('then 19');
  });

  test('is heard when a directory further up is swapped for another', async () => {
    const top = scratch();
    for (const side of ['live', 'next']) {
      mkdirSync(join(top, side, 'deep/er'), { recursive: true });
      writeFileSync(join(top, side, 'deep/er/f'), side);
    }
    const file = join(top, 'live/deep/er/f');
    const ear = await Ear.on(openHub().hub, file, 'file');
    await ear.hears('next', () => {
      renameSync(join(top, 'live'), join(top, 'old'));
      renameSync(join(top, 'next'), join(top, 'live'));
    });
    await ear.hears('in the new place', () => writeFileSync(file, 'in the new place'));
    expect(ear.heard).toEqual(['next', 'in the new place']);
  });

  test('is not followed through a link that takes the place of its directory', async () => {
    const top = scratch();
    const { hub } = openHub();
    for (const side of ['inside', 'outside']) {
      mkdirSync(join(top, side));
      writeFileSync(join(top, side, 'f'), side);
    }
    writeFileSync(join(top, 'sentinel'), '');
    const ear = await Ear.on(hub, join(top, 'inside/f'), 'file');
    const sentinel = await Ear.on(hub, join(top, 'sentinel'), 'file');
    await ear.hears('outside', () => {
      renameSync(join(top, 'inside'), join(top, 'away'));
      symlinkSync(join(top, 'outside'), join(top, 'inside'), 'junction');
    });
    writeFileSync(join(top, 'outside/f'), 'changed outside');
    await sentinel.hears('rung', () => writeFileSync(join(top, 'sentinel'), 'rung'));
    await ear.hears('inside', () => {
      unlinkSync(join(top, 'inside'));
      renameSync(join(top, 'away'), join(top, 'inside'));
    });
    expect(ear.heard).toEqual(['outside', 'inside']);
  });
});

describe('a watched directory', () => {
  test('is heard when children come, go and are renamed', async () => {
    const directory = scratch();
    const ear = await Ear.on(openHub().hub, directory, 'directory');
    await ear.hears('a', () => writeFileSync(join(directory, 'a'), ''));
    await ear.hears('a b', () => mkdirSync(join(directory, 'b')));
    await ear.hears('b c', () => renameSync(join(directory, 'a'), join(directory, 'c')));
    await ear.hears('b', () => rmSync(join(directory, 'c')));
    expect(ear.heard).toEqual(['a', 'a b', 'b c', 'b']);
  });

  test('is not heard for what happens below its children', async () => {
    const directory = scratch();
    mkdirSync(join(directory, 'child'));
    const { hub } = openHub();
    const ear = await Ear.on(hub, directory, 'directory');
    const below = await Ear.on(hub, join(directory, 'child'), 'directory');
    await below.hears('grandchild', () => writeFileSync(join(directory, 'child/grandchild'), ''));
    await ear.hears('child new', () => writeFileSync(join(directory, 'new'), ''));
    expect(ear.heard).toEqual(['child new']);
  });

  test('still hears of its children after it was deleted and made again', async () => {
    const directory = join(scratch(), 'work');
    mkdirSync(directory);
    const ear = await Ear.on(openHub().hub, directory, 'directory');
    for (let n = 0; n < 20; n += 1) {
      await ear.hears('missing', () => rmSync(directory, { recursive: true }));
      await ear.hears('', () => mkdirSync(directory));
      await ear.hears(`f${n}`, () => writeFileSync(join(directory, `f${n}`), ''));
    }
    expect(ear.heard.at(-1)).toBe('f19');
  });

  test('still hears of its children after it was deleted and made again at once', async () => {
    const directory = join(scratch(), 'work');
    mkdirSync(directory);
    const ear = await Ear.on(openHub().hub, directory, 'directory');
    for (let n = 0; n < 20; n += 1) {
      await ear.hears('', () => {
        rmSync(directory, { recursive: true });
        mkdirSync(directory);
      });
      await ear.hears(`f${n}`, () => writeFileSync(join(directory, `f${n}`), ''));
    }
    expect(ear.heard.at(-1)).toBe('f19');
  });
});

describe('calls', () => {
  test('do not come for unrelated files of the same directory', async () => {
    const directory = scratch();
    const { hub } = openHub();
    writeFileSync(join(directory, 'mine'), 'start');
    writeFileSync(join(directory, 'sentinel'), '');
    const mine = await Ear.on(hub, join(directory, 'mine'), 'file');
    const sentinel = await Ear.on(hub, join(directory, 'sentinel'), 'file');
    writeFileSync(join(directory, 'unrelated'), 'one');
    replace(join(directory, 'unrelated'), 'two');
    rmSync(join(directory, 'unrelated'));
    await sentinel.hears('rung', () => writeFileSync(join(directory, 'sentinel'), 'rung'));
    await mine.hears('mine now', () => writeFileSync(join(directory, 'mine'), 'mine now'));
    expect(mine.heard).toEqual(['mine now']);
  });

  test('do not come when only the directory around a file has changed', async () => {
    const directory = join(scratch(), 'work');
    mkdirSync(directory);
    const { hub } = openHub();
    writeFileSync(join(directory, 'mine'), 'start');
    const mine = await Ear.on(hub, join(directory, 'mine'), 'file');
    const around = await Ear.on(hub, directory, 'file');
    await around.hears('mine', () => chmodSync(directory, 0o700));
    await mine.hears('mine now', () => writeFileSync(join(directory, 'mine'), 'mine now'));
    expect(mine.heard).toEqual(['mine now']);
  });

  test('are few for a burst of changes, and the last change is followed by one', async () => {
    const file = join(scratch(), 'log');
    writeFileSync(file, '');
    const ear = await Ear.on(openHub().hub, file, 'file');
    await ear.hears('999', () => {
      for (let n = 0; n < 1_000; n += 1) writeFileSync(file, String(n));
    });
    expect(ear.heard.length).toBeLessThanOrEqual(2);
  });

  test('follow the last change of a burst that is spread over many turns', async () => {
    const file = join(scratch(), 'log');
    writeFileSync(file, '');
    const ear = await Ear.on(openHub().hub, file, 'file');
    for (let round = 0; round < 5; round += 1) {
      for (let n = 0; n < 100; n += 1) {
        replace(file, `${round} ${n}`);
        await nextTurn();
      }
      await ear.hears(`${round} last`, () => replace(file, `${round} last`));
    }
    expect(ear.heard.at(-1)).toBe('4 last');
  });

  test('come for each of 1,000 files that change at once', async () => {
    const top = scratch();
    const { hub } = openHub();
    const files: string[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      mkdirSync(join(top, `d${n % 20}`), { recursive: true });
      files.push(join(top, `d${n % 20}`, `f${n}`));
      writeFileSync(files[n]!, 'start');
    }
    const ears = await Promise.all(files.map((file) => Ear.on(hub, file, 'file')));
    await Promise.all(ears.map((ear) => ear.hears('done', () => replace(ear.path, 'done'))));
    expect(ears.filter((ear) => ear.heard.at(-1) !== 'done')).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'come also for a change whose event the kernel dropped',
    async () => {
      const directory = scratch();
      const file = join(directory, 'mine');
      const noise = [openSync(join(directory, 'x'), 'w'), openSync(join(directory, 'y'), 'w')];
      writeFileSync(file, 'start');
      const ear = await Ear.on(openHub().hub, file, 'file');
      await ear.hears('ready', () => writeFileSync(file, 'ready'));
      await ear.hears('after the flood', () => {
        // two by turns, because the kernel joins equal events that follow each other
        for (let n = 0; n < 40_000; n += 1) writeSync(noise[n % 2]!, '.');
        writeFileSync(file, 'after the flood');
      });
      for (const fd of noise) closeSync(fd);
      expect(ear.heard).toEqual(['ready', 'after the flood']);
    },
  );
});
