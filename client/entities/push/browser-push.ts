import { isAppleBrowserTab } from '#client/platform/apple.ts'
import type { PushSubscriptionBody } from '#shared/push/push.schemas.ts'

/*
 * Push messages as far as the browser is concerned. The server ends a subscription with the session it was made in.
 */

/**
 * `denied`: the user or a setting refuses notifications. `home-screen`: iPhone and iPad show them only for an app that was
 * added to the home screen.
 */
export type PushSupport = 'offered' | 'denied' | 'home-screen' | 'unsupported'

export function readPushSupport(): PushSupport {
  const isKnown = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isKnown) return isAppleBrowserTab() ? 'home-screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'offered'
}

/** Whether messages that reach this browser are shown. */
export function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted'
}

/** Asks the user, where that is still open; only after a press of a button, else browsers refuse. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted'
}

/** Some browsers never answer where their push service is not reached. */
const subscribeLimitMs = 10_000

/** A new subscription of this browser. @throws when the browser refuses, or does not answer in time. */
export async function subscribeBrowser(publicKey: string): Promise<PushSubscriptionBody> {
  const limit = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer of the browser')), subscribeLimitMs)
  })
  const { endpoint = '', keys = {} } = (await Promise.race([subscribe(publicKey), limit])).toJSON()
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' }
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready
  // An earlier subscription may have another key: browsers then refuse a new one.
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** Removes the subscription of this browser and the notifications it still shows. Never fails. */
export async function clearPush(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
    await (await registration?.pushManager?.getSubscription())?.unsubscribe()
  } catch {
    // Without a subscription at the server nothing more arrives.
  }
}
