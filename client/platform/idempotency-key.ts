/** A random name for one intention: a request repeated under it takes effect once. */
export function newIdempotencyKey(): string {
  // Not crypto.randomUUID: it is undefined on pages served without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
