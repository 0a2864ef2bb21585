import { isCallProblem } from '#client/platform/call.ts'

/** The result of an action on the sign-in screens. */
export type Outcome =
  | { ok: true }
  /** `field`: the field the server refused. `isShown`: the screen already shows the reason from the state. */
  | { ok: false; message: string; field?: string; isShown?: boolean }

/** The server's message, else the error's own text, else `fallback` (spec §8). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== '' ? error.message : fallback
}

export function refusalOf(error: unknown, fallback: string): { ok: false; message: string; field?: string } {
  // UNEXPECTED carries a general sentence: `fallback` names the step that failed.
  const hasOwnMessage = !isCallProblem(error) || error.code !== 'UNEXPECTED'
  const message = hasOwnMessage ? messageOf(error, fallback) : fallback
  const refused = isCallProblem(error) ? error.fields[0] : undefined
  return refused === undefined
    ? { ok: false, message }
    : { ok: false, message: refused.message, field: refused.field }
}
