// the far side of a protocol in packets: of a filter that stays (`filter`), or of the hook proc-receive (`receive`)

/** @type {(Buffer | undefined)[]} a flush is undefined */
const packets = [];
let waiting = Buffer.alloc(0);

/** @param {string | Buffer} text */
function packet(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** @param {(string | Buffer)[]} texts */
function write(...texts) {
  process.stdout.write(Buffer.concat([...texts.map(packet), Buffer.from('0000')]));
}

/** @param {Buffer} chunk */
function take(chunk) {
  waiting = Buffer.concat([waiting, chunk]);
  while (waiting.length >= 4) {
    const size = Number.parseInt(waiting.toString('latin1', 0, 4), 16);
    const end = Math.max(size, 4);
    if (waiting.length < end) return;
    packets.push(size === 0 ? undefined : waiting.subarray(4, end));
    waiting = waiting.subarray(end);
  }
}

let group = 0;

/** A greeting, the capabilities, then for each file what is wanted and its content. @param {Buffer[]} given */
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

/** A greeting, then the commands: all are taken. @param {Buffer[]} given */
function receive(given) {
  group += 1;
  if (group === 1) write('version=1\n');
  else write(...given.map((command) => `ok ${command.toString().trimEnd().split(' ')[2]}\n`));
}

const answer = process.argv[2] === 'filter' ? filter : receive;

process.stdin.on('data', (chunk) => {
  take(chunk);
  for (let end = packets.indexOf(undefined); end !== -1; end = packets.indexOf(undefined))
    answer(/** @type {Buffer[]} */ (packets.splice(0, end + 1).slice(0, -1)));
});
