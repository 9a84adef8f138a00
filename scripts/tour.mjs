// the tour: the built filesystem server on this repository, seen by the built client, once per era
import { constants } from 'node:os';
import { showEntries } from './tour/entries.mjs';
import { scenes } from './tour/scenes.mjs';
import { createScreen } from './tour/screen.mjs';
import { eras, openSession } from './tour/session.mjs';
import { setStage } from './tour/stage.mjs';
import { visible } from './visible.mjs';

/**
 * Runs a real session in each era, and prints the entries for clients.
 * @returns {Promise<number>} the exit code
 */
export async function tour() {
  const screen = createScreen(process.stdout);
  endInOrder();
  try {
    screen.title('Rootbound', 'a filesystem server at work on this repository, once per era of MCP');
    await showEras(screen);
    await showEntries(screen);
    screen.row('next', 'npm start -- filesystem ~/some-folder; docs/architecture.md is the map');
    return 0;
  } catch (error) {
    screen.end();
    process.stderr.write(`rootbound: the tour ended early: ${visible(firstLine(error))}\n`);
    return 1;
  }
}

/** @param {import('./tour/screen.mjs').Screen} screen */
async function showEras(screen) {
  const stage = setStage();
  try {
    for (const era of eras) await showEra(screen, stage, era);
  } finally {
    stage.clear();
  }
}

/**
 * @param {import('./tour/screen.mjs').Screen} screen
 * @param {import('./tour/stage.mjs').Stage} stage
 * @param {import('./tour/session.mjs').EraOnTour} era
 */
async function showEra(screen, stage, era) {
  screen.section(era.title, era.words);
  const session = await openSession(era, stage);
  try {
    for (const scene of scenes) await scene({ screen, stage, ...session });
  } finally {
    await session.client.close();
  }
}

/** Ends by `exit` at a signal, so that servers end and temporary files are removed. */
function endInOrder() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  // the reader has ended, as with `| head`
  process.stdout.once('error', () => process.exit(1));
}

/** @param {unknown} error */
function firstLine(error) {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0];
}
