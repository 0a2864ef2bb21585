import type { Core } from '#server/core.ts'
import { pushRoutes } from './push.routes.ts'
import { createPush, type PushService } from './push.service.ts'
import { createPushStore } from './push.store.ts'

/** Messages to browsers. */
export function registerPush(core: Core): PushService {
  const push = createPush({ ...core, store: createPushStore(core.database), sender: senderOf(core) })
  core.routes.push((app, scope) => pushRoutes(app, scope, push))
  return push
}

/** `undefined` when no push messages are sent. */
function senderOf({ config: { VAPID_PUBLIC_KEY: publicKey }, providers: { push } }: Core) {
  return publicKey && push ? { publicKey, provider: push } : undefined
}
