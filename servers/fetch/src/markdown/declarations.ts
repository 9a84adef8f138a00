/** How an element's own style leaves it: shown, gone, or there with text that cannot be seen unless something in it can. */
export type Shown = 'yes' | 'no' | 'faint' | 'clear';

/** What declarations do to what they style. */
export function hidesIn(declarations: string): Shown {
  const is = new Map<string, string>();
  for (const part of declarations.toLowerCase().split(';')) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const value = part.slice(colon + 1).trim();
    is.set(part.slice(0, colon).trim(), value.endsWith('!important') ? value.slice(0, -10).trim() : value);
  }
  const value = (name: string): string => is.get(name) ?? '';
  if (value('display') === 'none' || value('content-visibility') === 'hidden') return 'no';
  if (isOutOfSight(value)) return 'no';
  if (isAtMost(value('opacity'), 0)) return is.has('transform') || is.has('transition') ? 'yes' : 'no';
  if (isColourless(value)) return 'no';
  const size =
    value('font-size') ||
    (/(?:^|\s)((?:\d+(?:\.\d+)?|\.\d+)(?:px|pt|em|rem|%)?)(?:\/|\s)/.exec(value('font'))?.[1] ?? '');
  const visibility = value('visibility');
  if (visibility === 'hidden' || visibility === 'collapse' || isTiny(size)) return 'faint';
  return size !== '' || visibility === 'visible' ? 'clear' : 'yes';
}

function isOutOfSight(value: (name: string) => string): boolean {
  const away = (name: string): boolean => /^-\s*\d{3,}(?:\.\d+)?(?:px|em|rem|pt|vw|vh|%)/.test(value(name));
  if (away('text-indent') || away('margin-left') || away('margin-top')) return true;
  const position = value('position');
  if (position === 'absolute' || position === 'fixed') {
    if (away('left') || away('top') || away('right') || away('bottom')) return true;
    if (
      /^rect\(\s*(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)\s*\)/.test(
        value('clip'),
      )
    )
      return true;
  }
  if (
    /^inset\(\s*(?:50|100)%/.test(value('clip-path')) ||
    /^(?:circle|ellipse)\(\s*0/.test(value('clip-path'))
  )
    return true;
  if (/scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]/.test(value('transform'))) return true;
  if (/translate(?:x|y|3d)?\(\s*-\d{4,}/.test(value('transform'))) return true;
  return /^(?:hidden|clip)/.test(value('overflow')) && (isTiny(value('height')) || isTiny(value('width')));
}

function isColourless(value: (name: string) => string): boolean {
  const colour = plainColour(value('color'));
  if (colour === '') return false;
  if (colour === 'transparent')
    return !/text|gradient/.test(
      value('background-clip') + value('-webkit-background-clip') + value('background'),
    );
  const ground = plainColour(value('background-color') || value('background'));
  return colour === ground;
}

const colourNames = new Map([
  ['white', '#ffffff'],
  ['black', '#000000'],
  ['rgb(255,255,255)', '#ffffff'],
  ['rgb(0,0,0)', '#000000'],
]);

function plainColour(value: string): string {
  const even = value.length > 60 ? '' : value.replace(/\s+/g, '');
  if (/^rgba\(\d+,\d+,\d+,0(?:\.0*)?\)$/.test(even) || /^#[\da-f]{6}00$/.test(even)) return 'transparent';
  if (/^#[\da-f]{3}$/.test(even)) return even.replace(/[\da-f]/g, '$&$&');
  return colourNames.get(even) ?? even;
}

/** Whether a length or share is a number, and no more than so much of whatever its unit is. */
function isAtMost(size: string, most: number): boolean {
  return /^\.?\d/.test(size) && Number.parseFloat(size) <= most;
}

function isTiny(size: string): boolean {
  return isAtMost(size, 0) || size === '1px';
}
