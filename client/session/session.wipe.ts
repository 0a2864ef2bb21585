import type { QueryClient } from '@tanstack/react-query'
import { wipeOldPhotos, wipePhotos } from '#client/entities/handover/photo-mark.ts'
import {
  keptOwner,
  ownKeptOrders,
  readKeptOrders,
  wipeKeptOrders,
} from '#client/entities/order/kept-orders.ts'
import { clearTabStorage, readStored, removeStored, store } from '#client/platform/browser-storage.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import type { Role, SessionAnswer } from './session.rules.ts'
import { claimTab, releaseTab } from './tab-owner.ts'

/*
 * What this browser holds of a person, and when it is wiped: phones are shared. Confirmations of an agent that wait to be
 * sent stay, for that agent alone. Their pictures stay when a session ends by itself, for twelve hours, so that they can be
 * sent after the next sign-in; they go at a sign-out, and when another person signs in.
 */

export const sessionKey = ['session'] as const

/** The server has said that no user is signed in, or that another person is. */
export function wipeUser(): void {
  wipeKeptOrders()
  // Without the permission there is no subscription: most visitors load nothing for it.
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  void import('#client/entities/push/browser-push.ts').then(
    ({ clearPush }) => clearPush(),
    () => undefined,
  )
}

/** The server has said that no agent is signed in, or that another person is. */
export function wipeAgent(): void {
  for (const key of ['agentToken', 'scanAgent', 'agentSince', 'agentShift'] as const) removeStored(key)
  wipeKeptBags()
}

/** Wipes the kept bags of an agent. They hold names of pilgrims, which may be wiped while the agent stays stored. */
export function wipeKeptBags(): void {
  removeStored('keptBags')
}

/** Wipes bags and pictures whose time ended while no page was open. The check needs no network. */
export function wipeOverdueBags(): void {
  wipeOldPhotos()
  const isOn = Date.now() < Number(readStored('agentSince')) + sessionLife.agent.absoluteMs
  if (!isOn) wipeKeptBags()
}

/** An agent has signed in, or is found signed in: the time of the kept data counts from now on. */
export function beginShift(): void {
  store('agentSince', String(Date.now()))
}

/** The server has named the signed-in person: wipes the data of another person before the page shows this one. */
export function ownBrowser(client: QueryClient, role: Role, id: number): void {
  wipePhotos(role === 'agent' ? id : undefined)
  if (role === 'user') {
    wipeAgent()
    const owner = readKeptOrders()?.userId
    if (owner !== undefined && owner !== id) wipeUser()
    ownKeptOrders(id)
  } else {
    wipeUser()
    const isKnown = readStored('scanAgent') === String(id) && Number(readStored('agentSince')) <= Date.now()
    if (!isKnown) beginShift()
    store('scanAgent', String(id))
  }
  if (claimTab({ role, id })) wipeCache(client)
}

/** True when another tab changed `key`, so that the stored data belongs to another person, or no person is signed in. */
export function isTakenOver({ user, agent }: Pick<SessionAnswer, Role>, key: string | null): boolean {
  if (user !== null) return key === 'keptOrders' && keptOwner() !== user.id
  return agent !== null && key === 'scanAgent' && readStored('scanAgent') !== String(agent.id)
}

/** Wipes the browser after a sign-out. The sign-in page then does not say that a session ended. */
export function wipeBrowser(client: QueryClient): void {
  wipeStorage()
  wipeCache(client)
}

/** The same where the document is left: without its answers the page that is still shown would ask again, and be refused. */
export function wipeStorage(): void {
  wipeUser()
  wipeAgent()
  wipePhotos()
  releaseTab()
  clearTabStorage()
}

export function wipeCache(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  client.getMutationCache().clear()
}
