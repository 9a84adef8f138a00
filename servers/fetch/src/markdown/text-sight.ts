import type { Look } from './declarations.ts';
import type { Attributes } from './parse.ts';

/** How text can be seen where it stands: facts of their own, each from the nearest element that says something of it. */
export interface TextSight {
  readonly isVisible: boolean;
  readonly isTiny: boolean;
  readonly colour: string | undefined;
  readonly ground: string | undefined;
}

export const plainSight: TextSight = { isVisible: true, isTiny: false, colour: undefined, ground: undefined };

/** How text can be seen in an element with a look. */
export function sightIn(around: TextSight, look: Look, attributes: Attributes): TextSight {
  const { isVisible = around.isVisible, isTiny = around.isTiny, colour = around.colour } = look;
  // a style sheet elsewhere may give it another ground
  const isKnown = attributes.class === undefined && attributes.id === undefined;
  const ground = look.ground ?? (isKnown ? around.ground : undefined);
  const isSame =
    isVisible === around.isVisible &&
    isTiny === around.isTiny &&
    colour === around.colour &&
    ground === around.ground;
  return isSame ? around : { isVisible, isTiny, colour, ground };
}

/** Whether text cannot be seen, for whichever reason. */
export function isUnseen({ isVisible, isTiny, colour, ground }: TextSight): boolean {
  if (!isVisible || isTiny) return true;
  if (colour === undefined || ground === 'text') return false;
  return colour === 'transparent' || colour === ground;
}
