/** Cuts a text to `max` UTF-16 units, and never leaves half of a surrogate pair. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max)
  const isHalf = cut.length < text.length && /[\ud800-\udbff]$/.test(cut)
  return isHalf ? cut.slice(0, -1) : cut
}
