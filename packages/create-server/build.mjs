// puts the template beside the program, as it leaves this workspace
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from './dist/files.js';
import { templateOf } from './dist/template.js';

const target = join(import.meta.dirname, 'dist', 'template');
rmSync(target, { recursive: true, force: true });
writeFiles(target, templateOf(join(import.meta.dirname, 'template')));
