import { legacyCall } from '#server/legacy.ts'
import type { PushService } from './push.service.ts'

export const exportSubscriptions = legacyCall<PushService, 'exportSubscriptions'>(
  'push',
  'exportSubscriptions',
)
export const hasBrowser = legacyCall<PushService, 'hasBrowser'>('push', 'hasBrowser')
export const sendPush = legacyCall<PushService, 'send'>('push', 'send')
export const isPushOffered = legacyCall<PushService, 'isOffered'>('push', 'isOffered')
