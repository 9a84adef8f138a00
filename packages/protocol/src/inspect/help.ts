export const help = `inspect: connects to an MCP server and shows what it has

  npx -y @rootbound/protocol inspect [options] -- <command> [arguments]
  npx -y @rootbound/protocol inspect [options] -- <url>

Without an action it lists tools, resources, templates and prompts.

  --call <tool>          calls a tool
  --read <uri>           reads a resource
  --prompt <name>        gets a prompt
  --complete <of>        completes the last --arg of a prompt or a URI template
  --arg <name=value>     an argument, converted to the type in the tool's schema; repeatable
  --args <json>          all arguments as JSON; @file reads a file, - reads stdin
  --subscribe <uri>      follows a resource, and the lists; repeatable
  --follow               follows the lists
  --count <n>            ends after this number of changes
  --check                checks the server against the specification
  --quiet                omits requirements that are met or not observable
  --strict               fails for warnings, too

  --revision <date>      uses this revision; repeatable with --check
  --header <name: value> a header of every HTTP request; repeatable
  --env <name=value>     a variable for the command, which gets few others; repeatable
  --root <path>          offers a folder as a root; repeatable
  --timeout <seconds>    longest wait for a response; default 30, and 10 with --check
  --json                 prints JSON
  --wire                 prints every message on stderr
  --help                 prints this

Exit status: 0 for success, 1 if the server, a tool or a check fails, 2 for a wrong command line.
`;
