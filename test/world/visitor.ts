import type { OperationOf } from '#shared/operations.ts'
import type { Endpoint } from '#shared/platform/operation.ts'
import type { EventReader } from '#test/kit/gateway/event-stream.ts'
import { type Attempt, type CallInput, newPerson } from '#test/kit/gateway/person.ts'
import { gatewayPort } from './gateways.ts'
import type { World } from './world.types.ts'

/** The code of a call that got none. */
export const noAnswer = 'no answer'

/** A browser of a person, with its cookies. */
export interface Visitor {
  /** What a call showed: its answer, the code of its refusal, or `no answer`. */
  call<O extends Endpoint>(operation: O, input?: CallInput<OperationOf<O>>): Promise<Attempt<OperationOf<O>>>
  /** Sends a picture as it is. */
  sendPicture(path: string, jpeg: Buffer): Promise<{ readonly code?: string | undefined }>
  /** The bytes of an answer; none where there is no answer. */
  readPicture(path: string): Promise<Uint8Array>
  /** Opens an event stream with the same cookies; undefined where no gateway answers. */
  follow(path: string): Promise<EventReader | undefined>
}

export function newVisitor(world: World, who: string): Visitor {
  const stack = {
    gatewayUrl: `http://localhost:${gatewayPort}`,
    logs: () => [],
    control: { codeFor: async (phone: string) => world.simulator.otp.inbox(phone)[0]?.code ?? '' },
  }
  const person = newPerson(stack, {
    transport: (method, path, body, headers) => world.ask(who, { method, path, body, headers }),
  })
  const orNoAnswer = (error: unknown) => {
    // As `fetch` fails; anything else is a fault of the world or of an answer.
    if (!(error instanceof TypeError)) throw error
    return { code: noAnswer }
  }
  return {
    sendPicture: (path, jpeg) =>
      person
        .send('PUT', path, { rawBody: jpeg, headers: { 'content-type': 'image/jpeg' } })
        .then(({ json }) => json as { readonly code?: string }, orNoAnswer),
    readPicture: (path) =>
      person.send('GET', path).then(
        ({ bytes }) => bytes,
        (error) => {
          orNoAnswer(error)
          return new Uint8Array()
        },
      ),
    follow: (path) =>
      world
        .follow(path, { cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
        .catch(() => undefined),
    call: (operation, input) => person.attempt(operation, input).catch(orNoAnswer),
  }
}
