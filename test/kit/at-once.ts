/** As many calls as asked for, none of which waits for another one. */
export const atOnce = <T>(count: number, call: (index: number) => T | Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))
