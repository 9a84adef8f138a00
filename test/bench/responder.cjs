// The floor: a filesystem server as plain and as fast as one writes it in Node in an hour. No boundary, no schema
// check, no cancellation, no budget, no dependency. What a real server costs is measured against this.
'use strict';

const fs = require('node:fs');

const HELLO =
  '{"capabilities":{"tools":{},"resources":{"subscribe":true}},"serverInfo":{"name":"responder","version":"1.0.0"},"protocolVersion":';

const TOOLS =
  '{"tools":[' +
  '{"name":"read_text_file","title":"Read a text file","description":"Reads a file as text: all of it, its first lines, its last lines, or any range of lines. Use head or tail for long logs. Give only one of head, tail and from. The answer says how many lines and bytes the file has.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"head":{"type":"integer","minimum":1,"description":"Only this many lines from the beginning."},"tail":{"type":"integer","minimum":1,"description":"Only this many lines from the end."},"from":{"type":"integer","minimum":1,"description":"First line of a range, counting from 1."},"lines":{"type":"integer","minimum":1,"description":"How many lines the range holds."}},"required":["path"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"text":{"type":"string"},"totalLines":{"type":"integer","minimum":1,"description":"Lines in the whole file."},"totalBytes":{"type":"integer","minimum":1,"description":"Bytes in the whole file."},"truncated":{"type":"boolean","description":"There is more."},"nextCursor":{"type":"string","description":"Pass it as cursor."}},"required":["text"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"read_media_file","title":"Read an image or sound","description":"Reads an image, a sound or another binary file and answers with its bytes in base64 and its media type. Use it for files that are not text; large files are refused with their size.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."}},"required":["path"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"mimeType":{"type":"string"},"bytes":{"type":"integer","minimum":1},"data":{"type":"string"}},"required":["mimeType","bytes","data"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"read_multiple_files","title":"Read several files","description":"Reads several text files in one call, which is faster than one call each. A file that cannot be read is reported in its place and does not stop the others.","inputSchema":{"type":"object","properties":{"paths":{"type":"array","minItems":1,"maxItems":200,"items":{"type":"string","description":"Absolute path."},"description":"The files to read, in the order of the answer."}},"required":["paths"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"text":{"type":"string"},"error":{"type":"string","description":"Why it could not be read."}},"required":["path"]}},"truncated":{"type":"boolean","description":"There is more."},"nextCursor":{"type":"string","description":"Pass it as cursor."}},"required":["files"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"write_file","title":"Write a file","description":"Writes a text file: creates it, or replaces all that it held. The new content appears at once or not at all. To change a part of a file, use edit_file.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"content":{"type":"string","description":"Everything that the file shall hold."}},"required":["path","content"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"path":{"type":"string"},"bytes":{"type":"integer","minimum":1},"created":{"type":"boolean"}},"required":["path","bytes","created"]},"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"edit_file","title":"Edit a file","description":"Replaces exact pieces of text in a file, one after the other, and answers with a unified diff. Every piece must occur exactly as often as expected, or nothing is changed. Line endings, byte order mark and encoding stay. Use dryRun to see the diff first.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"edits":{"type":"array","minItems":1,"items":{"type":"object","properties":{"oldText":{"type":"string","description":"The text to find, exactly, spaces and line breaks included."},"newText":{"type":"string","description":"What stands there afterwards."},"count":{"type":"integer","minimum":1,"description":"How often oldText occurs; 1 unless told."}},"required":["oldText","newText"],"additionalProperties":false}},"dryRun":{"type":"boolean","description":"Only shows the diff and changes nothing."}},"required":["path","edits"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"diff":{"type":"string"},"applied":{"type":"boolean"},"edits":{"type":"integer","minimum":1}},"required":["diff","applied"]},"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false}},' +
  '{"name":"create_directory","title":"Create a folder","description":"Creates a folder, and the folders above it that are missing. A folder that is there already is no failure.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."}},"required":["path"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"path":{"type":"string"},"created":{"type":"boolean"}},"required":["path","created"]},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"list_directory","title":"List a folder","description":"Lists what a folder holds, page by page: names, kinds and, when asked for, sizes and times. The order of the file system is the fastest; sorting also tells the total.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"limit":{"type":"integer","minimum":1,"description":"Entries on one page; 100 unless told.","maximum":10000},"sort":{"type":"string","enum":["none","name","size","modified"],"description":"Order of the entries; none is the fastest."},"cursor":{"type":"string","description":"The nextCursor of an earlier answer."}},"required":["path"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"entries":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"kind":{"type":"string","enum":["file","directory","symlink","other"]},"bytes":{"type":"integer","minimum":1}},"required":["name","kind"]}},"total":{"type":"integer","minimum":1,"description":"All entries, when the order needed them."},"truncated":{"type":"boolean","description":"There is more."},"nextCursor":{"type":"string","description":"Pass it as cursor."}},"required":["entries","truncated"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"list_directory_with_sizes","title":"List a folder with sizes","description":"Lists what a folder holds together with the size of each file and the sum of all. Slower than list_directory, since it looks at every entry.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"sortBy":{"type":"string","enum":["name","size"],"description":"Order of the entries."},"cursor":{"type":"string","description":"The nextCursor of an earlier answer."}},"required":["path"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"entries":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"kind":{"type":"string","enum":["file","directory","symlink","other"]},"bytes":{"type":"integer","minimum":1}},"required":["name","kind"]}},"totalBytes":{"type":"integer","minimum":1,"description":"Sum of the sizes."},"truncated":{"type":"boolean","description":"There is more."},"nextCursor":{"type":"string","description":"Pass it as cursor."}},"required":["entries","truncated"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"directory_tree","title":"Show a tree","description":"Shows folders and files below a folder as a tree, to a given depth. Leave out what is of no interest with excludePatterns, such as node_modules. Large trees come in pages.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"depth":{"type":"integer","minimum":1,"description":"How many levels to go down; 3 unless told."},"excludePatterns":{"type":"array","items":{"type":"string","description":"A glob, such as **/dist."},"description":"What to leave out."},"cursor":{"type":"string","description":"The nextCursor of an earlier answer."}},"required":["path"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"tree":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"kind":{"type":"string","enum":["file","directory","symlink","other"]}},"required":["path","kind"]}},"truncated":{"type":"boolean","description":"There is more."},"nextCursor":{"type":"string","description":"Pass it as cursor."}},"required":["tree","truncated"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"move_file","title":"Move or rename","description":"Moves a file or a folder, or gives it another name. Fails when the destination exists, so that nothing is overwritten. Both ends must be within the allowed folders.","inputSchema":{"type":"object","properties":{"source":{"type":"string","description":"Absolute path."},"destination":{"type":"string","description":"Absolute path."}},"required":["source","destination"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"source":{"type":"string"},"destination":{"type":"string"}},"required":["source","destination"]},"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false}},' +
  '{"name":"search_files","title":"Search for names","description":"Finds files and folders below a folder whose path matches a glob: *.ts within the folder, **/*.ts at any depth. Symbolic links are not followed. Answers with paths in pages.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"pattern":{"type":"string","description":"A glob, matched against the path below the folder."},"excludePatterns":{"type":"array","items":{"type":"string","description":"A glob, such as **/node_modules."},"description":"What to leave out."},"limit":{"type":"integer","minimum":1,"description":"Paths on one page."},"cursor":{"type":"string","description":"The nextCursor of an earlier answer."}},"required":["path","pattern"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"paths":{"type":"array","items":{"type":"string","description":"Path below the folder."}},"truncated":{"type":"boolean","description":"There is more."},"nextCursor":{"type":"string","description":"Pass it as cursor."}},"required":["paths","truncated"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"search_content","title":"Search in files","description":"Finds lines that hold a text or match a regular expression in the files below a folder, with their line numbers. Files that are not text are left out. Answers in pages.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."},"pattern":{"type":"string","description":"The text, or the regular expression when regex is true."},"regex":{"type":"boolean","description":"Reads pattern as a regular expression."},"ignoreCase":{"type":"boolean","description":"Does not tell small from capital letters."},"include":{"type":"string","description":"Only files whose path matches this glob."},"limit":{"type":"integer","minimum":1,"description":"Lines on one page."},"cursor":{"type":"string","description":"The nextCursor of an earlier answer."}},"required":["path","pattern"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"matches":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer","minimum":1},"text":{"type":"string"}},"required":["path","line","text"]}},"truncated":{"type":"boolean","description":"There is more."},"nextCursor":{"type":"string","description":"Pass it as cursor."}},"required":["matches","truncated"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"get_file_info","title":"Describe a file","description":"Tells the kind, size, times and permissions of a file or folder without reading it.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Absolute path."}},"required":["path"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"kind":{"type":"string","enum":["file","directory","symlink","other"]},"bytes":{"type":"integer","minimum":1},"created":{"type":"string"},"modified":{"type":"string"},"accessed":{"type":"string"},"permissions":{"type":"string"}},"required":["kind","bytes","modified"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},' +
  '{"name":"list_allowed_directories","title":"List the allowed folders","description":"Lists the folders that this server may touch, and says why these. Everything else is refused. Ask for it first when a path is refused.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"directories":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"readOnly":{"type":"boolean"}},"required":["path","readOnly"]}},"reason":{"type":"string","description":"Why these folders."}},"required":["directories","reason"]},"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}' +
  ']}';

let pending = [];

process.stdin.on('data', (chunk) => {
  let replies = '';
  let start = 0;
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
    let line = chunk.toString('utf8', start, end);
    if (pending.length > 0) {
      line = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8');
      pending = [];
    }
    replies += answer(JSON.parse(line));
    start = end + 1;
  }
  if (start < chunk.length) pending.push(chunk.subarray(start));
  if (replies !== '') process.stdout.write(replies);
});

function answer({ id, method, params }) {
  if (id === undefined) return '';
  switch (method) {
    case 'initialize':
      return reply(id, `${HELLO}${JSON.stringify(params.protocolVersion)}}`);
    case 'ping':
      return reply(id, '{}');
    case 'tools/list':
      return reply(id, TOOLS);
    case 'tools/call':
      try {
        return reply(
          id,
          `{"content":[{"type":"text","text":${JSON.stringify(call(params.name, params.arguments))}}]}`,
        );
      } catch (error) {
        return reply(
          id,
          `{"content":[{"type":"text","text":${JSON.stringify(error.message)}}],"isError":true}`,
        );
      }
    case 'resources/subscribe':
      subscribe(params.uri);
      return reply(id, '{}');
    default:
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"method not found"}}\n`;
  }
}

function reply(id, result) {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`;
}

function call(name, args) {
  switch (name) {
    case 'read_text_file':
      if (args.head) return head(args.path, args.head);
      if (args.tail) return tail(args.path, args.tail);
      if (args.from) return range(args.path, args.from, args.lines);
      return fs.readFileSync(args.path, 'utf8');
    case 'write_file':
      fs.writeFileSync(args.path, args.content);
      return 'written';
    case 'list_directory':
      return args.sort === 'name' ? sortedPage(args.path, args.limit) : firstPage(args.path, args.limit);
    case 'search_files':
      return findNames(args.path, args.pattern);
    case 'search_content':
      return findContent(args.path, args.pattern);
    default:
      throw new Error(`no tool ${name}`);
  }
}

function firstPage(path, limit) {
  const folder = fs.opendirSync(path, { bufferSize: limit });
  let text = '';
  for (let i = 0; i < limit; i += 1) {
    const entry = folder.readSync();
    if (entry === null) break;
    text += `${entry.isDirectory() ? 'dir' : 'file'} ${entry.name}\n`;
  }
  folder.closeSync();
  return text;
}

function sortedPage(path, limit) {
  const names = fs.readdirSync(path).sort();
  return `${names.length} entries\n${names.slice(0, limit).join('\n')}`;
}

function head(path, lines) {
  return seek(path, 0, lines);
}

function range(path, from, lines) {
  return seek(path, from - 1, lines);
}

function seek(path, skip, lines) {
  const fd = fs.openSync(path);
  const block = Buffer.allocUnsafe(65536);
  let text = '';
  const last = skip + lines;
  try {
    for (let seen = 0; seen < last; ) {
      const bytes = fs.readSync(fd, block);
      if (bytes === 0) break;
      let start = 0;
      while (seen < last) {
        const end = block.indexOf(10, start);
        const stop = end === -1 || end >= bytes ? bytes : end + 1;
        if (seen >= skip) text += block.toString('utf8', start, stop);
        if (stop === bytes && block[bytes - 1] !== 10) break;
        seen += 1;
        start = stop;
        if (start === bytes) break;
      }
    }
  } finally {
    fs.closeSync(fd);
  }
  return text;
}

function tail(path, lines) {
  const fd = fs.openSync(path);
  try {
    let position = fs.fstatSync(fd).size;
    let found = Buffer.alloc(0);
    while (position > 0) {
      const size = Math.min(65536, position);
      const block = Buffer.allocUnsafe(size);
      position -= size;
      fs.readSync(fd, block, 0, size, position);
      found = Buffer.concat([block, found]);
      let at = found.length - 1;
      for (let i = 0; i < lines && at >= 0; i += 1) at = at === 0 ? -1 : found.lastIndexOf(10, at - 1);
      if (at >= 0) return found.toString('utf8', at + 1);
    }
    return found.toString('utf8');
  } finally {
    fs.closeSync(fd);
  }
}

function findNames(root, pattern) {
  // **/prefix* is all that is asked of it
  const prefix = pattern.slice(3, -1);
  const found = [];
  walk(root, (folder, name) => {
    if (name.startsWith(prefix)) found.push(`${folder}/${name}`);
  });
  return found.join('\n');
}

function findContent(root, needle) {
  const wanted = Buffer.from(needle);
  const block = Buffer.allocUnsafe(1 << 20);
  const found = [];
  walk(root, (folder, name) => {
    const path = `${folder}/${name}`;
    const fd = fs.openSync(path);
    const bytes = fs.readSync(fd, block);
    fs.closeSync(fd);
    const held = block.subarray(0, bytes);
    const at = held.indexOf(wanted);
    if (at === -1) return;
    const end = held.indexOf(10, at);
    found.push(`${path}:${held.toString('utf8', held.lastIndexOf(10, at) + 1, end === -1 ? bytes : end)}`);
  });
  return found.join('\n');
}

function walk(folder, visit) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) walk(`${folder}/${entry.name}`, visit);
    else visit(folder, entry.name);
  }
}

const watched = new Map();

function subscribe(uri) {
  const path = decodeURIComponent(uri.slice('file://'.length));
  const cut = path.lastIndexOf('/');
  const folder = path.slice(0, cut);
  let uris = watched.get(folder);
  if (uris === undefined) {
    const own = new Map();
    uris = own;
    watched.set(folder, own);
    fs.watch(folder, (_, name) => {
      const changed = own.get(name);
      if (changed === undefined) return;
      process.stdout.write(
        `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":${JSON.stringify(changed)}}}\n`,
      );
    });
  }
  uris.set(path.slice(cut + 1), uri);
}

process.stdin.on('end', () => process.exit(0));
