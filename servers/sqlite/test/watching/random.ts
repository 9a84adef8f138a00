/** Numbers below a limit, the same ones for the same seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    // https://en.wikipedia.org/wiki/Linear_congruential_generator, the numbers of Numerical Recipes
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
