/** A sales stop has one of these subjects; the broadest is first. `city` is the city of the branch. */
export const stopKinds = ['all', 'city', 'branch', 'agent'] as const
