import { defaultBookingType } from '#shared/orders/booking-types.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import type { Sale } from '#shared/stops/stops.rules.ts'

/** The user's choices; `null` means not chosen. Cities have the partner's English names. */
export interface BookingDraft {
  readonly type: BookingType
  readonly fromCity: string | null
  readonly toCity: string | null
  readonly centerCode: string | null
  readonly agentCode: string | null
}

/** The order created from a draft. A change of the draft drops it. */
interface DraftOrder {
  /** The Idempotency-Key of the order: a user who goes back and pays again pays the same order. */
  readonly key: string
  /** Absent until the server has responded. The order may exist before that. */
  readonly orderId?: number | undefined
}

/** The earlier order whose route is booked again for another bag. */
export interface AgainSource {
  readonly orderId: number
  /** The receiver of the earlier order. The user ticks a box to take the receiver over. */
  readonly receiver?: NamedReceiver | undefined
  /** The owner's name on the earlier airway bill: the user is not asked again whether the name is complete. */
  readonly printedName?: string | undefined
}

/** An earlier booking that waits while the user books another bag. */
type Begun = Pick<BookingState, 'draft' | 'named' | 'order'>

export interface BookingState {
  readonly step: number
  readonly draft: BookingDraft
  /**
   * The receiver, when the owner does not collect the bag. It is not part of the draft: the next booking starts without a
   * receiver.
   */
  readonly named?: NamedReceiver | undefined
  /** Absent until the user presses Pay. */
  readonly order?: DraftOrder | undefined
  /**
   * An order created for an earlier draft that may still be paid. Null when the server's response with its number never arrived.
   */
  readonly earlierOrderId?: number | null | undefined
  /** Absent when the user chose the draft by hand. */
  readonly again?: AgainSource | undefined
  /** The waiting booking becomes the draft again once the present draft is an order. */
  readonly aside?: Begun | undefined
  /** Drafts that became orders, oldest first. */
  readonly history: readonly BookingDraft[]
}

export type BookingAction =
  | { readonly type: 'changed'; readonly change: Partial<BookingDraft> }
  | { readonly type: 'named'; readonly named: NamedReceiver }
  /** `way`: the route of the earlier order. */
  | { readonly type: 'again'; readonly way: BookingDraft; readonly source: AgainSource }
  /** The user goes back to the waiting booking. */
  | { readonly type: 'resumed' }
  | { readonly type: 'stepped-forward' }
  | { readonly type: 'stepped-back' }
  | { readonly type: 'ordering'; readonly key: string }
  | { readonly type: 'ordered'; readonly key: string; readonly orderId: number }
  /** The action may name any order; only the draft's own order completes the draft. */
  | { readonly type: 'concluded'; readonly orderId: number }
  | { readonly type: 'reset' }
  | { readonly type: 'completed' }

export type BookingField = Exclude<keyof BookingDraft, 'type'>

const draftFields = ['type', 'fromCity', 'toCity', 'centerCode', 'agentCode'] as const

export function emptyDraft(type: BookingType = defaultBookingType): BookingDraft {
  return { type, fromCity: null, toCity: null, centerCode: null, agentCode: null }
}

export const initialBookingState: BookingState = { step: 0, draft: emptyDraft(), history: [] }

/** The transitions of spec §4. */
export function bookingReducer(state: BookingState, action: BookingAction): BookingState {
  switch (action.type) {
    case 'changed':
      return withDraft(state, changedDraft(state.draft, action.change))
    case 'named':
      return { ...forReceiver(state), named: action.named }
    case 'again':
      return again(state, action.way, action.source)
    case 'resumed':
      return resumed(state)
    case 'stepped-forward':
      return { ...state, step: state.step + 1 }
    case 'stepped-back':
      return { ...state, step: Math.max(0, state.step - 1) }
    case 'ordering':
      return ordering(state, action.key)
    case 'ordered':
      return ordered(state, action.key, action.orderId)
    case 'concluded':
      if (state.order?.orderId === action.orderId) return completed(state)
      return state.earlierOrderId === action.orderId ? { ...state, earlierOrderId: undefined } : state
    case 'reset':
      return { step: 0, draft: emptyDraft(), history: state.history }
    case 'completed':
      return completed(state)
  }
}

function completed({ history, draft, aside }: BookingState): BookingState {
  return { step: 0, draft: emptyDraft(), ...aside, history: [...history, draft] }
}

/**
 * Makes the route of an earlier order the draft. If an unpaid order for that route exists, the booking continues it and creates
 * no second order. A booking that was begun for another route waits.
 */
function again(state: BookingState, way: BookingDraft, source: AgainSource): BookingState {
  if (isSameDraft(state.draft, way)) return { ...state, step: 1, again: source }
  const { earlierOrderId, history } = withoutOrder(state)
  const waiting = state.aside ?? begunOf(state)
  const aside = waiting && isSameDraft(waiting.draft, way) ? undefined : waiting
  return { step: 1, draft: way, earlierOrderId, again: source, aside, history }
}

/** `undefined` when nothing is chosen, and when the draft is already an order: the user finds that order in My orders. */
function begunOf({ draft, named, order }: BookingState): Begun | undefined {
  const isBegun = requiredFields(draft.type).some((field) => draft[field] !== null)
  return isBegun && order?.orderId === undefined ? { draft, named, order } : undefined
}

function resumed(state: BookingState): BookingState {
  const { aside } = state
  if (aside === undefined) return state
  const { earlierOrderId, history } = withoutOrder(state)
  return { step: 0, ...aside, earlierOrderId, history }
}

const isSameDraft = (one: BookingDraft, other: BookingDraft): boolean =>
  draftFields.every((field) => one[field] === other[field])

/** A changed draft drops its own order and the link to the earlier order. Choosing the same answer again changes nothing. */
function withDraft(state: BookingState, draft: BookingDraft): BookingState {
  if (isSameDraft(draft, state.draft)) return { ...state, draft }
  const { again: _, ...others } = withoutOrder(state)
  return { ...others, draft }
}

/**
 * A new receiver drops an order whose number is known. If the number is not known, the key stays: the server creates the order
 * with the new receiver, or refuses the request if the key already has an order.
 */
function forReceiver(state: BookingState): BookingState {
  return state.order?.orderId === undefined ? state : withoutOrder(state)
}

/**
 * A new key replaces a key without a known order number: the order of the old key may exist, so `earlierOrderId` becomes null.
 */
function ordering({ order, ...state }: BookingState, key: string): BookingState {
  const isUntold = order !== undefined && order.orderId === undefined && order.key !== key
  return { ...state, order: { key }, ...(isUntold ? { earlierOrderId: null } : {}) }
}

/** When the draft has changed before the server answers, the created order belongs to the earlier draft: `earlierOrderId`. */
function ordered(state: BookingState, key: string, orderId: number): BookingState {
  return state.order?.key === key
    ? { ...state, order: { key, orderId } }
    : { ...state, earlierOrderId: orderId }
}

/** The created order no longer belongs to the draft: it becomes the earlier order. */
function withoutOrder({ order, ...state }: BookingState): BookingState {
  return order?.orderId === undefined ? state : { ...state, earlierOrderId: order.orderId }
}

function changedDraft(draft: BookingDraft, change: Partial<BookingDraft>): BookingDraft {
  const typeChanges = change.type !== undefined && change.type !== draft.type
  const base = typeChanges ? emptyDraft(change.type) : draft
  const cityField = cityFieldOf(base.type)
  const cityChanges = change[cityField] !== undefined && change[cityField] !== base[cityField]
  // A centre belongs to a city: changing the city clears it.
  return { ...base, ...(cityChanges ? { centerCode: null } : {}), ...change }
}

/** The field of the branch's city: the destination from Mina, else the origin. */
export function cityFieldOf(type: BookingType): 'toCity' | 'fromCity' {
  return type === 'FROM_MINA' ? 'toCity' : 'fromCity'
}

/** The change for a chosen city, including its branch when it has only one. */
export function cityChange(
  field: 'toCity' | 'fromCity',
  city: string,
  centers: readonly { readonly code: string; readonly city: string }[],
): Partial<BookingDraft> {
  const [only, ...others] = centers.filter((center) => center.city === city)
  return { [field]: city, ...(only && others.length === 0 ? { centerCode: only.code } : {}) }
}

/** The fields Continue requires (spec §5), in screen order. */
export function requiredFields(type: BookingType): readonly BookingField[] {
  return type === 'FROM_MINA'
    ? ['agentCode', 'toCity', 'centerCode']
    : ['fromCity', 'centerCode', 'agentCode']
}

/** The questions that still need an answer: they have no choice, or a choice that is not sold. */
export function missingFields(
  draft: BookingDraft,
  isStopped: (field: BookingField, value: string) => boolean = () => false,
): readonly BookingField[] {
  return requiredFields(draft.type).filter((field) => {
    const value = draft[field]
    return !value || isStopped(field, value)
  })
}

/**
 * The first unanswered question after the last answer, or else the first unanswered one. A city may be chosen on the start page.
 */
export function nextQuestion(type: BookingType, missing: readonly BookingField[]): BookingField | undefined {
  const fields = requiredFields(type)
  const lastAnswer = fields.findLastIndex((field) => !missing.includes(field))
  return missing.find((field) => fields.indexOf(field) > lastAnswer) ?? missing[0]
}

/** The key of a choice in the list of stopped sales. A branch has its own key: a stopped city is shown at the city's question. */
export function saleOf(field: BookingField, value: string): Sale {
  if (field === 'agentCode') return { agent: value }
  return field === 'centerCode' ? { branch: value } : { city: value }
}

interface PartnerLists {
  readonly centers: readonly { readonly code: string; readonly city: string }[]
  readonly agents: readonly { readonly id: string }[]
}

/**
 * The draft without choices that the partner no longer offers. A draft may be days old, and the server would refuse a closed
 * branch only after the review.
 */
export function withoutWithdrawn(draft: BookingDraft, lists: PartnerLists): BookingDraft {
  const cityField = cityFieldOf(draft.type)
  const city = draft[cityField]
  const inCity = lists.centers.filter((center) => center.city === city)
  return {
    ...draft,
    [cityField]: inCity.length > 0 ? city : null,
    centerCode: inCity.some((center) => center.code === draft.centerCode) ? draft.centerCode : null,
    agentCode: lists.agents.some((agent) => agent.id === draft.agentCode) ? draft.agentCode : null,
  }
}

/** Users read a shorter list of cities as a whole, so it has no popular cities. */
const fewCities = 8
const popularCount = 4

/**
 * The distinct cities of the centres (spec §3), sorted by their names in the language on screen. The popular cities are those
 * with the most branches; a short list has no popular cities.
 */
export function citiesOf(
  centers: readonly { readonly city: string }[],
  shown: (city: string) => string,
  compare: (a: string, b: string) => number,
) {
  const counts = new Map<string, number>()
  for (const { city } of centers) counts.set(city, (counts.get(city) ?? 0) + 1)
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([city]) => city)
  const popular = new Set(counts.size > fewCities ? byCount.slice(0, popularCount) : [])
  return [...counts]
    .map(([city, branchCount]) => ({
      value: city,
      label: shown(city),
      branchCount,
      isPopular: popular.has(city),
    }))
    .sort((a, b) => compare(a.label, b.label))
}

/** Raise this number when the shape of `BookingState` changes: state stored under an earlier number is dropped. */
export const bookingVersion = 3

/** Reads the stored state; `undefined` when it has another version. */
export function readBooking(stored: unknown): BookingState | undefined {
  const { version, ...state } = (stored ?? {}) as BookingState & { version?: number }
  return version === bookingVersion ? state : undefined
}
