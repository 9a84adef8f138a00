import type { Look } from './css-declarations.ts';
import type { Attributes } from './html-parser.ts';

/** The visibility of text: each member comes from the nearest element that sets it. */
export interface TextSight {
  readonly isVisible: boolean;
  readonly isTiny: boolean;
  readonly colour: string | undefined;
  readonly ground: string | undefined;
}

export const plainSight: TextSight = { isVisible: true, isTiny: false, colour: undefined, ground: undefined };

/** Returns the visibility of text in an element with this look. */
export function sightIn(around: TextSight, look: Look, attributes: Attributes): TextSight {
  const { isVisible = around.isVisible, isTiny = around.isTiny, colour = around.colour } = look;
  // a style sheet that is not known may set another background
  const isKnown = attributes.class === undefined && attributes.id === undefined;
  const ground = look.ground ?? (isKnown ? around.ground : undefined);
  const isSame =
    isVisible === around.isVisible &&
    isTiny === around.isTiny &&
    colour === around.colour &&
    ground === around.ground;
  return isSame ? around : { isVisible, isTiny, colour, ground };
}

/** Returns whether text is invisible, for any reason. */
export function isUnseen({ isVisible, isTiny, colour, ground }: TextSight): boolean {
  if (!isVisible || isTiny) return true;
  if (colour === undefined || ground === 'text') return false;
  return colour === 'transparent' || colour === ground;
}
