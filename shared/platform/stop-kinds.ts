/** Subjects of a stop, the broadest first. A city is that of the branch. */
export const stopKinds = ['all', 'city', 'branch', 'agent'] as const
