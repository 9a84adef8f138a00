/** The questions to a client; apart, so that the start does not load how they are asked. */
export { roots } from '@rootbound/protocol';
