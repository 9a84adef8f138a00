/** What a browser needs of the environment, and nothing that may be secret. */
const needed =
  /^(?:path|home|tmpdir|temp|tmp|lang|language|lc_.*|tz|xdg_.*|fontconfig_.*|ld_library_path|systemroot|windir|comspec|pathext|userprofile|localappdata|appdata|programfiles.*|programdata)$/i;

/** The variables that a browser is started with. */
export function browserEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (variable): variable is [string, string] => variable[1] !== undefined && needed.test(variable[0]),
    ),
  );
}
