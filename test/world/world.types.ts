import type { createMockPartner } from '#mock/app.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Scan } from '#shared/wire/shipping/shipping.wire.ts'
import type { EventReader } from '#test/kit/gateway/event-stream.ts'
import type { Answer, Message } from './network.ts'
import type { Reality } from './reality.ts'
import type { Store } from './world.store.ts'

/** What people saw and did, for the promises about them. */
export interface Notes {
  /** Orders that a screen showed as paid. */
  readonly shownPaid: Set<number>
  /** Airway bills whose hand-over was answered as recorded. */
  readonly handedOver: Set<string>
  /** Airway bills whose hand-over stands and whose picture was answered as stored; `later` for one that was taken off line. */
  readonly pictured: Map<string, 'at once' | 'later'>
  /** Airway bills whose picture was refused, with the code. */
  readonly refusedPictures: Map<string, string>
  /** Pictures as the owners of the bags were shown them in the end, by airway bill. */
  readonly seenPictures: Map<string, Uint8Array>
  /** Airway bills whose refusal was answered as recorded, by the key of the request. */
  readonly notAccepted: Map<string, string>
  /** Users who gave up a paid booking with their account. */
  readonly forfeited: Set<number>
  /** Transactions whose refund the bank took and forgot. */
  readonly forgotten: Set<string>
  /** Halalas that were returned on the provider's dashboard, by transaction. */
  readonly byHand: Map<string, number>
  /** Who an order said would collect its bag, as the owner was last answered; undefined after a call without an answer. */
  readonly collectors: Map<number, { readonly name: string; readonly phone: string } | undefined>
  /** Scans that the courier reports under the number of a bag, and that are not of this bag. */
  readonly foreignScans: Set<Scan>
  /** Steps of claims that were answered as done: the number of the claim and the kind of its event. */
  readonly claims: Set<string>
  /** Event streams that are open, by order: how many notices they have sent. */
  readonly streams: Map<number, number>
  /** Right codes, by phone. */
  readonly codes: Map<string, number>
  /** Number and code, as people typed them together. */
  readonly typed: Set<string>
  /** Answers that refused an order which existed, because of a stop. */
  readonly strayStops: string[]
  /** Keys of what staff asked for and of notes, as they were answered. */
  readonly acted: Set<string>
  /** Numbers whose code the OTP service was asked about, though it was not typed for them. */
  readonly strayChecks: string[]
}

/** What people and promises see of a world. */
export interface World {
  readonly reality: Reality
  readonly store: Store
  readonly simulator: ReturnType<typeof createMockPartner>
  readonly notes: Notes
  tell(who: string, what: string): void
  /** From a phone to whichever gateway the balancer finds. @throws when no answer comes within the patience of a person. */
  ask(who: string, message: Message): Promise<Answer>
  /** Opens an event stream at whichever gateway is up, which ends it when it is killed. */
  follow(path: string, headers: Readonly<Record<string, string>>): Promise<EventReader>
  /** Resolves after so long, by true time. */
  wait(ms: number): Promise<void>
  /** The same, for a person who does nothing meanwhile: the world may come to rest. */
  sleep(ms: number): Promise<void>
  /** Makes calls of a service whose path has this part fail from now on, for so long. */
  interrupt(part: string, ms: number): void
  /** Something that happens at an external service, not by a call of ours. */
  atSimulator<T>(work: () => T): T
  /** On the operator's own connection. */
  asOperator<T>(work: (database: Database) => Promise<T>): Promise<T>
}
