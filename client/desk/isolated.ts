/** A name or a grouped number inside a text of either direction: it keeps its own, and what follows it stays where it is. */
export const isolated = (name: string): string => `\u2068${name}\u2069`
