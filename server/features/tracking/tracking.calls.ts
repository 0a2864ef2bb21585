import type { Following } from '#server/features/orders/following.ts'
import { legacyCall } from '#server/legacy.ts'

export const followBag = legacyCall<Following, 'follow'>('following', 'follow')
export const followBagClosely = legacyCall<Following, 'followClosely'>('following', 'followClosely')
