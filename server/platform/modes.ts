/** `live` serves pilgrims. In `demo` the external services are simulated, and testers may empty the database. */
export const modes = ['demo', 'live'] as const
export type Mode = (typeof modes)[number]

/** Which installation a database belongs to, and its mode. */
export interface Installation {
  readonly id: string
  readonly mode: Mode
}
