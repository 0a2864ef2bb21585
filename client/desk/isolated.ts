/** Wraps a name or a grouped number in isolates: it keeps its own direction and does not reorder the text around it. */
export const isolated = (name: string): string => `\u2068${name}\u2069`
