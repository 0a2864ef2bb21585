/**
 * Unusual answers that clients have met, or that the documents do not exclude, each triggered by a magic value. A
 * trigger works anywhere in `OrderNumber`, `ContentDescription` or the consignee's `ContactName` of the create request
 * (in the app: by signing up under such a name); for look-ups of unknown references, in the reference itself. Delays,
 * lost connections, unreadable answers and lost answers are faults of any service (`PUT /control/faults/shipping`).
 */
export const shippingScenarios = {
  /** Create answers 400 with a validation body naming ConsigneeAddress.City. Nothing is created. */
  refused: 'TEST-REFUSED',
  /** Create answers 500. Nothing is created. */
  failed: 'TEST-FAILED',
  /** Create answers 500 although the shipment was created: asking again makes a second one. */
  'created-but-500': 'TEST-CREATED-500',
  /** Create answers 200 with an error object instead of a shipment. Nothing is created. */
  'error-in-200': 'TEST-ERROR-200',
  /** Create answers 200 as text/plain although the shipment was created; its AWB must be looked up. */
  'text-in-200': 'TEST-TEXT-200',
  /** Create answers 502 in the words of a proxy although the shipment was created. */
  'created-but-502': 'TEST-CREATED-502',
  /** Create answers 400 as text/plain, without `errors`. Nothing is created. */
  'refused-in-words': 'TEST-NO-IN-WORDS',
  /** Create answers 201 instead of 200. */
  'created-201': 'TEST-CREATED-201',
  /** Create, query and tracking by reference give awb, sawb and AWB as numbers. */
  numbers: 'TEST-NUMBERS',
  /** Create gives awbFile as null; query has the file. */
  'null-file': 'TEST-NULL-FILE',
  /** Create and query give the waybills, a null sawb, a field that is new, and nothing else. */
  sparse: 'TEST-SPARSE',
  /** Create and query leave out createDate. */
  'no-create-date': 'TEST-NO-DATE',
  /** Create leaves out awbFile of the last piece; query has it. */
  'label-late': 'TEST-LABEL-LATE',
  /** Create and query leave out awbFile of the last piece. */
  'no-label': 'TEST-NO-LABEL',
  /** awbFile holds ZPL whatever WaybillType asked for. */
  zpl: 'TEST-ZPL',
  /** Query and tracking answer 404 during the first minute after creation (simulated clock). */
  'not-indexed': 'TEST-NOT-INDEXED',
  /** Query and tracking answer 404 for a random time of 0 to 40 s after creation (simulated clock). */
  lagging: 'TEST-LAGGING',
  /** Tracking by reference answers one bare record, as the documents show, instead of an array. */
  'bare-record': 'TEST-BARE-RECORD',
  /** Tracking leaves out Scans. */
  'no-scans': 'TEST-NO-SCANS',
  /** Tracking adds a newest scan with the undocumented code ZZ9. */
  'unknown-scan': 'TEST-UNKNOWN-SCAN',
  /** Tracking by an unknown reference answers 200 with an empty array instead of 404. */
  'unknown-is-empty': 'TEST-UNKNOWN-EMPTY',
  /** Tracking by an unknown reference answers 404 without a body. */
  'unknown-is-bodiless': 'TEST-UNKNOWN-BODILESS',
} as const

export type ShippingScenario = keyof typeof shippingScenarios

export const shippingScenarioIds = Object.keys(shippingScenarios) as ShippingScenario[]

/** The longest lag of the scenario `lagging`. */
export const longestLagMs = 40_000

export const scenariosIn = (...texts: string[]): ReadonlySet<ShippingScenario> =>
  new Set(shippingScenarioIds.filter((id) => texts.some((text) => text.includes(shippingScenarios[id]))))
