import { encode } from './session.mjs';

export const IN_FLIGHT = 64;

/**
 * Sends `total` calls and keeps 64 of them in flight; after each chunk of answers it writes as many new calls at once.
 * @param {import('./session.mjs').Session} session
 * @param {readonly object[]} params taken in turn
 * @param {number} total
 * @param {(line: Buffer) => boolean} isAnswer
 * @returns {Promise<void>}
 */
export function flood(session, params, total, isAnswer) {
  let sent = 0;
  let received = 0;
  const next = () => {
    const line = encode(session.nextId(), 'tools/call', params[sent % params.length]);
    sent += 1;
    return line;
  };
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('server exits'));
    session.child.once('close', gone);
    session.onLines = (lines) => {
      let batch = '';
      for (const line of lines) {
        received += 1;
        if (!isAnswer(line)) reject(new Error(`answers ${line.toString().slice(0, 200)}`));
        if (sent < total) batch += next();
      }
      if (batch !== '') session.write(batch);
      if (received < total) return;
      session.onLines = undefined;
      session.child.off('close', gone);
      resolve();
    };
    let batch = '';
    for (let i = 0; i < IN_FLIGHT; i += 1) batch += next();
    session.write(batch);
  });
}
