/** Writes `.br` and `.gz` beside the text files of a folder. */
export function compressFolder(folder: string): void
