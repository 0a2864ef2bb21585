/** `tel:` takes digits and a plus only; the partner writes phones with spaces, dashes and brackets. */
export function telHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`
}
