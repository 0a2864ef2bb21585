import { isCallProblem } from '#client/platform/call.ts'

/** Why a call was refused. `field`: the field that the server refused. */
export interface Refusal {
  readonly message: string
  readonly field?: string | undefined
}

/** The server's message, else the error's own text, else `fallback` (spec §8). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof Error && error.message !== '' ? error.message : fallback
}

export function refusalOf(error: unknown, fallback: string): Refusal {
  // The message of UNEXPECTED is general; `fallback` names the step that failed.
  const hasOwnMessage = !isCallProblem(error) || error.code !== 'UNEXPECTED'
  const message = hasOwnMessage ? messageOf(error, fallback) : fallback
  const refused = isCallProblem(error) ? error.fields[0] : undefined
  return refused ?? { message }
}
