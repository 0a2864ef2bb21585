/** The subjects of a sales stop, the broadest first. `city` is the city of the branch. */
export const stopKinds = ['all', 'city', 'branch', 'agent'] as const
