/** What a client is asked; apart, so that the start does not load how questions are put. */
export { roots } from '@rootbound/protocol';
