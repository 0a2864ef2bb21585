import type { Core } from '#server/platform/core.ts'
import type { ExternalService } from '#server/platform/external-service.ts'
import { createPushProvider } from './push.provider.http.ts'
import { pushRoutes } from './push.routes.ts'
import { type PushServiceName, pushServices } from './push.rules.ts'
import { createPush, type PushService } from './push.service.ts'
import { createPushStore } from './push.store.ts'

/** Messages to browsers. */
export function registerPush(core: Core): PushService {
  const push = createPush({ ...core, store: createPushStore(core.database), sender: senderOf(core) })
  core.routes.push((app, scope) => pushRoutes(app, scope, push))
  return push
}

/** Undefined where no push messages are sent. Each push service has a circuit breaker of its own. */
function senderOf({ config, externalService }: Core) {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = config
  if (!publicKey || !privateKey || !subject) return undefined
  const services = Object.fromEntries(
    pushServices.map((name) => [name, externalService(`push_${name}`)]),
  ) as Record<PushServiceName, ExternalService>
  return { publicKey, provider: createPushProvider({ publicKey, privateKey, subject }, services) }
}
