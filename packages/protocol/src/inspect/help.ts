export const help = `inspect: connects to an MCP server and shows what it has

  npx -y @rootbound/protocol inspect [options] -- <command> [arguments]
  npx -y @rootbound/protocol inspect [options] -- <url>

Without an action it lists tools, resources, templates and prompts.

  --call <tool>          calls a tool
  --read <uri>           reads a resource
  --prompt <name>        gets a prompt
  --complete <of>        completes the last --arg of a prompt or a URI template
  --arg <name=value>     an argument; typed as the tool's schema says. May be given again
  --args <json>          all arguments as JSON; @file reads a file, - reads stdin
  --subscribe <uri>      follows a resource, and the lists. May be given again
  --follow               follows the lists
  --count <n>            ends after so many changes
  --check                looks whether the server does what the specification demands
  --quiet                leaves out what is kept and what cannot be seen
  --strict               fails at what is recommended or implied, too

  --revision <date>      speaks this revision; with --check it may be given again
  --header <name: value> a header of every HTTP request. May be given again
  --env <name=value>     a variable for the command; few others are passed on. May be given again
  --root <path>          offers a folder as a root. May be given again
  --timeout <seconds>    longest wait for an answer; default 30, and 10 with --check
  --json                 prints JSON
  --wire                 prints every message on stderr
  --help                 prints this

It ends with 0, with 1 where the server fails, a tool says that it has failed or a check does, and with 2 where
the command line is wrong.
`;
