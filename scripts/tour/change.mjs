import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { milliseconds, textOf } from './answers.mjs';

const PATIENCE_MS = 5000;

/**
 * Subscribes to a file, changes it, and shows how soon the server tells and what it reads then.
 * @param {import('./scenes.mjs').Setting} setting
 */
export async function showChange({ client, stage, screen }) {
  const uri = pathToFileURL(stage.notes).href;
  const told = listening();
  const subscription = await client.subscribe(uri, told.hear);
  try {
    const changed = performance.now();
    writeFileSync(stage.notes, `changed during ${client.revision}\n`);
    const latency = (await told.first()) - changed;
    const { contents } = await client.readResource(uri);
    screen.row(
      'subscription',
      `${basename(stage.notes)} was changed; told after ${milliseconds(latency)}, it reads`,
    );
    screen.quote(textOf(contents).trimEnd());
  } finally {
    await subscription.close();
  }
}

/** A listener, and the moment at which it first hears something. */
function listening() {
  /** @type {(moment: number) => void} */
  let resolveMoment;
  /** @type {Promise<number>} */
  const moment = new Promise((resolve) => {
    resolveMoment = resolve;
  });
  const first = () =>
    new Promise((resolve, reject) => {
      const late = () => reject(new Error(`the server told of no change within ${PATIENCE_MS} ms`));
      const timer = setTimeout(late, PATIENCE_MS);
      void moment.then(resolve).finally(() => clearTimeout(timer));
    });
  return { hear: () => resolveMoment(performance.now()), first };
}
