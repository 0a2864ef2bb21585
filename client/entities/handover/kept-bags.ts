import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { readKept, storeKept } from '#client/entities/order/kept.ts'
import { removeStored, useStored } from '#client/platform/browser-storage.ts'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { emptyKeptBags, type KeptBags, keptBagOf, keptBagsVersion, withBags } from './kept-bags.rules.ts'
import { endOfShift, readShift, useShift } from './shift.ts'

/*
 * The agent's bags on this device, for the counter without a network: twelve hours from the sign-in at most, and wiped at
 * log-out, at the first 401 and with the agent (session.wipe.ts). Only the server decides about a bag.
 */

/** Times of a clock that was set back since are shown as now. Undefined without a shift of this agent, and when nothing was kept in it. */
export function readKeptBags(agentId: number): KeptBags | undefined {
  const kept = readKept<KeptBags>('keptBags', keptBagsVersion)
  const shift = readShift(agentId)
  if (kept?.agentId !== agentId || kept.since !== shift?.since) return undefined
  return { ...kept, listedAt: Math.min(kept.listedAt, Date.now()) }
}

/** The kept bag and the time of its facts; undefined for a bag that is not kept. */
export const findKeptBag = (agentId: number, awb: string) => {
  const kept = readKeptBags(agentId)
  const bag = kept && keptBagOf(kept, awb)
  return bag && { ...bag, knownAt: Math.min(bag.knownAt, Date.now()) }
}

/** Keeps orders of an answer; `whole` are the counts of a list of all of them. */
export function keepBags(
  agentId: number,
  orders: readonly Order[],
  askedAt: number,
  whole?: KeptBags['counts'],
): void {
  const shift = readShift(agentId)
  // The agent signed out or in again while the answer was on its way.
  if (shift === undefined || askedAt < shift.since) return
  const before = readKeptBags(agentId) ?? emptyKeptBags(agentId, shift.since)
  storeKept('keptBags', withBags(before, { orders, askedAt, now: Date.now(), ...(whole && { whole }) }))
}

/** Finds a kept bag; the component renders again when the kept bag changes. */
export function useKeptBags(agentId: number): (awb: string) => Order | undefined {
  const stored = useStored('keptBags')
  return useMemo(() => {
    const bags = stored === undefined ? [] : (readKeptBags(agentId)?.bags ?? [])
    const byAwb = new Map(bags.flatMap(({ order }) => order.bookings.map(({ awb }) => [awb, order] as const)))
    return (awb) => byAwb.get(awb)
  }, [stored, agentId])
}

/** The kept orders; undefined before the whole list was kept once. */
export function useKnownOrders(agentId: number): readonly Order[] | undefined {
  const stored = useStored('keptBags')
  return useMemo(() => {
    const kept = stored === undefined ? undefined : readKeptBags(agentId)
    return kept === undefined || kept.listedAt === 0 ? undefined : kept.bags.map(({ order }) => order)
  }, [stored, agentId])
}

/** Wipes the kept bags when their time is over, also on a page that stays open without a network. */
export function useKeptBagsEnd(agentId: number): void {
  const client = useQueryClient()
  const shift = useShift(agentId)
  const ends = shift && endOfShift(shift)
  useEffect(() => {
    if (ends === undefined) return
    const end = () => {
      removeStored('keptBags')
      void client.resetQueries({ queryKey: [listAgentOrders.method, listAgentOrders.path] })
    }
    const timer = setTimeout(end, ends - Date.now())
    return () => clearTimeout(timer)
  }, [client, ends])
}
