/** What a column of moments holds (see withMoment in database/moments.ts), in the order in which it happened. */
export const momentsIn = (list: string | null): readonly (readonly string[])[] =>
  (list?.split(' ') ?? []).map((moment) => moment.split('/'))
