import type { FastifyInstance } from 'fastify'
import type { DiskWait } from '#server/platform/work.ts'

const decorator = 'newDiskWait'

/** Operations then wait for the disk once, before their answer, in place of at each of their statements. */
export function registerDiskWaits(app: FastifyInstance, newDiskWait: (() => DiskWait) | undefined): void {
  if (newDiskWait) app.decorate(decorator, newDiskWait)
}

const waits = new WeakMap<object, DiskWait>()

/** What an operation of `app` waits for; undefined where its statements wait by themselves. */
export function diskWaitsOf(app: FastifyInstance) {
  if (!app.hasDecorator(decorator)) return undefined
  const newDiskWait = app.getDecorator<() => DiskWait>(decorator)
  return (request: object): DiskWait => {
    const wait = newDiskWait()
    waits.set(request, wait)
    return wait
  }
}

/** Sends an answer, a refusal too, when everything that it may tell of is on the disk. */
export function sendWhenOnDisk(
  request: object,
  _reply: object,
  payload: unknown,
  done: (error?: Error | null, payload?: unknown) => void,
): void {
  const pending = waits.get(request)?.settled()
  if (pending) pending.then(() => done(null, payload), done)
  else done(null, payload)
}
