/** Environment variables that a browser needs and that hold no secrets. */
const needed =
  /^(?:path|home|tmpdir|temp|tmp|lang|language|lc_.*|tz|xdg_.*|fontconfig_.*|ld_library_path|systemroot|windir|comspec|pathext|userprofile|localappdata|appdata|programfiles.*|programdata)$/i;

/** Returns the environment for a browser. */
export function browserEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (variable): variable is [string, string] => variable[1] !== undefined && needed.test(variable[0]),
    ),
  );
}
