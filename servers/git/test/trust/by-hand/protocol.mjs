// the far side of a protocol in packets: of a filter that stays (`filter`), or of the hook proc-receive (`receive`)

/** @type {(string | undefined)[]} in bytes; a flush is undefined */
const packets = [];
let waiting = '';

/** @param {string} text */
function packet(text) {
  return (text.length + 4).toString(16).padStart(4, '0') + text;
}

/** @param {string[]} texts */
function write(...texts) {
  process.stdout.write(`${texts.map(packet).join('')}0000`, 'latin1');
}

/** @param {string} chunk */
function take(chunk) {
  waiting += chunk;
  while (waiting.length >= 4) {
    const size = Number.parseInt(waiting.slice(0, 4), 16);
    const end = Math.max(size, 4);
    if (waiting.length < end) return;
    packets.push(size === 0 ? undefined : waiting.slice(4, end));
    waiting = waiting.slice(end);
  }
}

let group = 0;

/** A greeting, the capabilities, then for each file what is wanted and its content. @param {string[]} given */
function filter(given) {
  group += 1;
  if (group === 1) write('git-filter-server\n', 'version=2\n');
  else if (group === 2) write('capability=clean\n', 'capability=smudge\n');
  else if (group % 2 === 0) {
    write('status=success\n');
    write(...given);
    write();
  }
}

/** A greeting, then the commands: all are taken. @param {string[]} given */
function receive(given) {
  group += 1;
  if (group === 1) write('version=1\n');
  else write(...given.map((command) => `ok ${command.trimEnd().split(' ')[2]}\n`));
}

const answer = process.argv[2] === 'filter' ? filter : receive;

process.stdin.setEncoding('latin1').on('data', (/** @type {string} */ chunk) => {
  take(chunk);
  for (let end = packets.indexOf(undefined); end !== -1; end = packets.indexOf(undefined)) {
    const given = packets.splice(0, end + 1);
    answer(given.flatMap((each) => each ?? []));
  }
});
