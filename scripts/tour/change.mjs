import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { milliseconds, textOf } from './answers.mjs';

const PATIENCE_MS = 5000;

/**
 * Subscribes to a file, changes it, and shows the time until the notification and the new content.
 * @param {import('./scenes.mjs').Setting} setting
 */
export async function showChange({ client, stage, screen }) {
  const uri = pathToFileURL(stage.notes).href;
  const notification = listening();
  const subscription = await client.subscribe(uri, notification.receive);
  try {
    const changed = performance.now();
    writeFileSync(stage.notes, `changed during ${client.revision}\n`);
    const latency = (await notification.first()) - changed;
    const { contents } = await client.readResource(uri);
    screen.row(
      'subscription',
      `${basename(stage.notes)} was changed; notified after ${milliseconds(latency)}, it reads`,
    );
    screen.quote(textOf(contents).trimEnd());
  } finally {
    await subscription.close();
  }
}

/** Returns a listener, and the moment of its first notification. */
function listening() {
  /** @type {(moment: number) => void} */
  let resolveMoment;
  /** @type {Promise<number>} */
  const moment = new Promise((resolve) => {
    resolveMoment = resolve;
  });
  const first = () =>
    new Promise((resolve, reject) => {
      const late = () => reject(new Error(`the server sent no notification within ${PATIENCE_MS} ms`));
      const timer = setTimeout(late, PATIENCE_MS);
      void moment.then(resolve).finally(() => clearTimeout(timer));
    });
  return { receive: () => resolveMoment(performance.now()), first };
}
