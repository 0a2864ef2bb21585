/** In `demo` external services are simulated, and testers may empty the database. */
export const modes = ['demo', 'live'] as const
export type Mode = (typeof modes)[number]

export interface Installation {
  readonly id: string
  readonly mode: Mode
}
