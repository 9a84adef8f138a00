// runs the tour of the checkout in the first argument, like `npm start` after the build;
// with --terminal its output is a terminal of 80 columns
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [checkout, flag] = process.argv.slice(2);
if (flag === '--terminal') Object.assign(process.stdout, { isTTY: true, columns: 80 });
const { tour } = await import(pathToFileURL(join(checkout, 'scripts', 'tour.mjs')).href);
process.exitCode = await tour();
