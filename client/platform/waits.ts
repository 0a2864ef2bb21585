/** How long the app waits for the server before it goes on without an answer, in milliseconds. */
export const waits = {
  /** A stored document that shows kept orders: at the counter the barcode must not wait for a network that never answers. */
  keptOrdersDocument: 500,
  /** Any other stored document. */
  document: 4_000,
  /** The session's check, before the last agent may scan. */
  session: 4_000,
  /** A bag's check: a pilgrim in a queue waits no longer. The bag is received unchecked, and the server decides later. */
  bagCheck: 6_000,
  /** The picture of a bag, while its confirmation waits: most phones need 0.2 s. */
  bagPhoto: 2_000,
  /** Between two checks that a focus of the window causes. */
  refocus: 10_000,
  /** Until the note below the top bar says that the connection is slow. */
  note: 8_000,
  /** A call that hangs is ended. The slowest regular answer takes 10 s. */
  call: 30_000,
  /** A file may hold twenty thousand rows, on a slow line. */
  file: 120_000,
} as const
