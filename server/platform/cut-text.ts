export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max)
  const isHalf = cut.length < text.length && /[\ud800-\udbff]$/.test(cut)
  return isHalf ? cut.slice(0, -1) : cut
}
