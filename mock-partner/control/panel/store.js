/** Rows of a list at first, and how many more are shown at a press. */
export const pageSize = 50

export const services = ['otp', 'payment', 'shipping', 'tracking', 'messaging', 'identity']

/** What the page shows. Views read it, and `update` draws it. */
export const state = {
  screen: { name: 'orders', ref: null },
  query: '',
  /** Clock, faults, counters. Null before the first answer. */
  overview: null,
  isOffline: false,
  /** Locks of running presses. */
  busy: new Set(),
  lists: {
    orders: newList('order'),
    texts: newList('key'),
    requests: newList('id'),
  },
  /** The open order; `missing` when there is none with its number. */
  order: null,
  hiddenKinds: new Set(),
  hasRequests: false,
  service: '',
}

/** Rows that are shown stay where they are; new ones are counted until they are asked for. */
function newList(key) {
  return {
    key,
    shown: [],
    newest: null,
    freshCount: 0,
    total: 0,
    totalAtShow: 0,
    limit: pageSize,
    asked: null,
  }
}

/** How many rows to ask for: those that are shown, those that are new, and some more. */
export const wantedOf = (list) => list.limit + list.freshCount + 20

/** Takes an answer: updates rows in place. @param asked what was asked for; another question begins another list. */
export function takeRows(list, rows, total, asked) {
  const keyOf = (row) => row[list.key]
  // Fewer than before: the simulator was emptied.
  const isAnother = list.asked !== asked || total < list.totalAtShow || list.shown.length === 0
  if (isAnother) {
    list.shown = rows.slice(0, list.limit)
    list.totalAtShow = total
  } else {
    const byKey = new Map(rows.map((row) => [keyOf(row), row]))
    const lastKey = keyOf(list.shown.at(-1))
    list.shown = list.shown.map((row) => byKey.get(keyOf(row)) ?? row)
    const last = rows.findIndex((row) => keyOf(row) === lastKey)
    const free = Math.max(0, list.limit - list.shown.length)
    if (last >= 0) list.shown.push(...rows.slice(last + 1, last + 1 + free))
  }
  const firstKey = list.shown.length > 0 ? keyOf(list.shown[0]) : undefined
  const above = rows.findIndex((row) => keyOf(row) === firstKey)
  list.freshCount = Math.max(total - list.totalAtShow, above, 0)
  list.newest = list.freshCount > 0 ? (rows[0] ?? null) : null
  list.asked = asked
  list.total = total
}

/** Begins the list anew with the next answer. */
export function showFresh(list) {
  list.asked = null
}

let draw = () => {}
let isDue = false

export function onUpdate(callback) {
  draw = callback
}

/** Draws once for all changes of this moment. */
export function update() {
  if (isDue) return
  isDue = true
  queueMicrotask(() => {
    isDue = false
    draw()
  })
}
