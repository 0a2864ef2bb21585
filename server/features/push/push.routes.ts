import type { Core } from '#server/core.ts'
import type { Routes } from '#server/platform/routes.ts'
import { readPush, subscribePush, unsubscribePush } from '#shared/push/push.api.ts'
import { readPushState, subscribeBrowser, unsubscribeBrowser } from './push.ts'

export function pushRoutes(core: Core, { add, scope }: Routes): void {
  add(readPush, ({ request }) => readPushState(core, scope.tokenOf(request)))

  add(subscribePush, async ({ principal, body, request }) => {
    await subscribeBrowser(core, principal.userId, scope.tokenOf(request), body)
    return {}
  })

  add(unsubscribePush, async ({ request }) => {
    await unsubscribeBrowser(core, scope.tokenOf(request))
    return {}
  })
}
