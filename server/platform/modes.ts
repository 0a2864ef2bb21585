/** In `demo` the simulator replaces the external services, and testers can empty the database. */
export const modes = ['demo', 'live'] as const
export type Mode = (typeof modes)[number]

export interface Installation {
  readonly id: string
  readonly mode: Mode
}
