/** The declarations of an element, by property, in lower case. */
export type Declared = ReadonlyMap<string, string>;

/** The visibility of an element and its text by its declarations; undefined members are inherited. */
export interface Look {
  /** whether the element is hidden with all its content */
  readonly isGone: boolean;
  readonly isVisible?: boolean | undefined;
  readonly isTiny?: boolean | undefined;
  /** of the text, and of its background */
  readonly colour?: string | undefined;
  readonly ground?: string | undefined;
}

export const seen: Look = { isGone: false };

export function readDeclarations(text: string): Map<string, string> {
  const declared = new Map<string, string>();
  for (const part of text.toLowerCase().split(';')) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const value = part.slice(colon + 1).trim();
    declared.set(
      part.slice(0, colon).trim(),
      value.endsWith('!important') ? value.slice(0, -10).trim() : value,
    );
  }
  return declared;
}

/** Opacity that is invisible, or nearly. */
const FAINT = 0.05;
const moving = [
  'transition',
  'transition-property',
  'animation',
  'animation-name',
  'will-change',
  'transform',
  '-webkit-transition',
  '-webkit-animation',
  '-webkit-transform',
  'translate',
];

/** Returns the visibility by declarations. Text that an animation or transition brings in counts as visible. */
export function lookOf(declared: Declared): Look {
  const value = (name: string): string => declared.get(name) ?? '';
  const visibility = value('visibility');
  const size =
    value('font-size') ||
    (/(?:^|\s)((?:\d+(?:\.\d+)?|\.\d+)(?:px|pt|em|rem|%)?)(?:\/|\s)/.exec(value('font'))?.[1] ?? '');
  const isGone =
    value('display') === 'none' ||
    value('content-visibility') === 'hidden' ||
    isOutOfSight(value) ||
    (isAtMost(value('opacity'), FAINT) && !comesIn(declared));
  return {
    isGone,
    isVisible: visibility === '' ? undefined : visibility !== 'hidden' && visibility !== 'collapse',
    // a share of zero is zero
    isTiny: isTiny(size)
      ? true
      : size === '' || /(?:em|%)$/.test(size.replace(/rem$/, ''))
        ? undefined
        : false,
    colour: plainColour(value('color')) || undefined,
    ground: groundOf(value),
  };
}

function comesIn(declared: Declared): boolean {
  return moving.some((name) => !['none', '', 'auto'].includes(declared.get(name) ?? ''));
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

/** Returns the background colour; `text` if the background is clipped to the text or is a gradient. */
function groundOf(value: (name: string) => string): string | undefined {
  const background = value('background');
  if (/text|gradient/.test(value('background-clip') + value('-webkit-background-clip') + background))
    return 'text';
  return plainColour(value('background-color') || background) || undefined;
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

/** Returns whether a length or share is at most a number of its unit. */
function isAtMost(size: string, most: number): boolean {
  return /^\.?\d/.test(size) && Number.parseFloat(size) <= most;
}

function isTiny(size: string): boolean {
  return isAtMost(size, 0) || size === '1px';
}
