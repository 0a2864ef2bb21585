import { defaultBookingType } from '#shared/orders/booking-types.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { NamedReceiver } from '#shared/orders/receiver.schemas.ts'
import type { Sale } from '#shared/stops/stops.rules.ts'

/** The choices so far; `null` is not chosen. Cities are the partner's English names. */
export interface BookingDraft {
  readonly type: BookingType
  readonly fromCity: string | null
  readonly toCity: string | null
  readonly centerCode: string | null
  readonly agentCode: string | null
}

/** The order created from a draft. Dropped when the draft changes. */
interface DraftOrder {
  /** Its Idempotency-Key: going back and paying again pays the same order. */
  readonly key: string
  /** Absent until the server has responded: there may be an order all the same. */
  readonly orderId?: number | undefined
}

/** The order whose way is booked for another bag. */
export interface AgainSource {
  readonly orderId: number
  /** The receiver that it names, to be taken over when the user ticks it. */
  readonly receiver?: NamedReceiver | undefined
  /** The owner's name on its airway bill: the user is not asked again whether it is whole. */
  readonly printedName?: string | undefined
}

/** A booking that was begun and waits while another bag is booked. */
type Begun = Pick<BookingState, 'draft' | 'named' | 'order'>

export interface BookingState {
  readonly step: number
  readonly draft: BookingDraft
  /** Who collects the bag, where that is not the owner. No part of the draft: the next booking has none. */
  readonly named?: NamedReceiver | undefined
  /** Absent until Pay is pressed. */
  readonly order?: DraftOrder | undefined
  /** An order created for an earlier draft that may still be paid; null where its number was never told. */
  readonly earlierOrderId?: number | null | undefined
  /** Absent where the draft was chosen by hand. */
  readonly again?: AgainSource | undefined
  /** It becomes the draft again once the present draft is an order. */
  readonly aside?: Begun | undefined
  /** Drafts that became orders, oldest first. */
  readonly history: readonly BookingDraft[]
}

export type BookingAction =
  | { readonly type: 'changed'; readonly change: Partial<BookingDraft> }
  | { readonly type: 'named'; readonly named: NamedReceiver }
  /** `way`: of the order. */
  | { readonly type: 'again'; readonly way: BookingDraft; readonly source: AgainSource }
  /** Back to the booking that waits. */
  | { readonly type: 'resumed' }
  | { readonly type: 'stepped-forward' }
  | { readonly type: 'stepped-back' }
  | { readonly type: 'ordering'; readonly key: string }
  | { readonly type: 'ordered'; readonly key: string; readonly orderId: number }
  /** For any order; only the draft's own order completes the draft. */
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
 * The way of an order as the draft. An unpaid order for that way is continued, so that no second one is made; a booking
 * that was begun for another way waits.
 */
function again(state: BookingState, way: BookingDraft, source: AgainSource): BookingState {
  if (isSameDraft(state.draft, way)) return { ...state, step: 1, again: source }
  const { earlierOrderId, history } = withoutOrder(state)
  const waiting = state.aside ?? begunOf(state)
  const aside = waiting && isSameDraft(waiting.draft, way) ? undefined : waiting
  return { step: 1, draft: way, earlierOrderId, again: source, aside, history }
}

/** Undefined where nothing is chosen, and for a draft that is an order: the user finds it in My orders. */
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

/** A changed draft drops its order and the order whose way it had; choosing the same again does not. */
function withDraft(state: BookingState, draft: BookingDraft): BookingState {
  if (isSameDraft(draft, state.draft)) return { ...state, draft }
  const { again: _, ...others } = withoutOrder(state)
  return { ...others, draft }
}

/**
 * Where the number is not known, the key stays: the server takes it for the renamed order if it has none under it, and
 * else refuses it.
 */
function forReceiver(state: BookingState): BookingState {
  return state.order?.orderId === undefined ? state : withoutOrder(state)
}

/** A key in place of one whose order was never told means that there is such an order. */
function ordering({ order, ...state }: BookingState, key: string): BookingState {
  const isUntold = order !== undefined && order.orderId === undefined && order.key !== key
  return { ...state, order: { key }, ...(isUntold ? { earlierOrderId: null } : {}) }
}

/** The answer to a draft that has changed meanwhile is an earlier order. */
function ordered(state: BookingState, key: string, orderId: number): BookingState {
  return state.order?.key === key
    ? { ...state, order: { key, orderId } }
    : { ...state, earlierOrderId: orderId }
}

/** The order that was created is another one than what is booked now. */
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

/** The questions that still need an answer: nothing is chosen, or what is chosen is not sold. */
export function missingFields(
  draft: BookingDraft,
  isStopped: (field: BookingField, value: string) => boolean = () => false,
): readonly BookingField[] {
  return requiredFields(draft.type).filter((field) => {
    const value = draft[field]
    return !value || isStopped(field, value)
  })
}

/** The first question without an answer behind the last answer, else the first of all. A city is chosen on the start page. */
export function nextQuestion(type: BookingType, missing: readonly BookingField[]): BookingField | undefined {
  const fields = requiredFields(type)
  const lastAnswer = fields.findLastIndex((field) => !missing.includes(field))
  return missing.find((field) => fields.indexOf(field) > lastAnswer) ?? missing[0]
}

/** What a choice is called where something is not sold: a branch in a city that is stopped is told at the city. */
export function saleOf(field: BookingField, value: string): Sale {
  if (field === 'agentCode') return { agent: value }
  return field === 'centerCode' ? { branch: value } : { city: value }
}

interface PartnerLists {
  readonly centers: readonly { readonly code: string; readonly city: string }[]
  readonly agents: readonly { readonly id: string }[]
}

/**
 * The draft without choices the partner no longer offers. A draft may be days old, and the server would refuse a closed
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

/** A shorter list of cities is read as a whole. */
const fewCities = 8
const popularCount = 4

/**
 * The distinct cities of the centres (spec §3), in the order the language sorts their shown names. Popular are those with
 * the most branches; none where there are few cities.
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

/** Another shape of `BookingState` needs another number: what is stored under an earlier one is dropped. */
export const bookingVersion = 3

/** Reads what is stored; `undefined` when it has another version. */
export function readBooking(stored: unknown): BookingState | undefined {
  const { version, ...state } = (stored ?? {}) as BookingState & { version?: number }
  return version === bookingVersion ? state : undefined
}
