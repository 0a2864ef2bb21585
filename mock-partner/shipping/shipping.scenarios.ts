/**
 * Unusual answers that clients have met, or that the documents do not exclude, each triggered by a magic value. A
 * trigger works anywhere in `OrderNumber`, `ContentDescription` or the consignee's `ContactName` of the create request
 * (in the app: by signing up under such a name); for look-ups of unknown references, in the reference itself. Delays,
 * lost connections, unreadable answers and lost answers are faults of any service (`PUT /control/faults/shipping`).
 */
export const shippingScenarios = [
  {
    id: 'refused',
    trigger: 'TEST-REFUSED',
    effect: 'Create answers 400 with a validation body naming ConsigneeAddress.City. Nothing is created.',
  },
  {
    id: 'failed',
    trigger: 'TEST-FAILED',
    effect: 'Create answers 500. Nothing is created.',
  },
  {
    id: 'created-but-500',
    trigger: 'TEST-CREATED-500',
    effect: 'Create answers 500 although the shipment was created: asking again makes a second one.',
  },
  {
    id: 'error-in-200',
    trigger: 'TEST-ERROR-200',
    effect: 'Create answers 200 with an error object instead of a shipment. Nothing is created.',
  },
  {
    id: 'text-in-200',
    trigger: 'TEST-TEXT-200',
    effect: 'Create answers 200 as text/plain although the shipment was created; its AWB must be looked up.',
  },
  {
    id: 'created-but-502',
    trigger: 'TEST-CREATED-502',
    effect: 'Create answers 502 in the words of a proxy although the shipment was created.',
  },
  {
    id: 'refused-in-words',
    trigger: 'TEST-NO-IN-WORDS',
    effect: 'Create answers 400 as text/plain, without `errors`. Nothing is created.',
  },
  {
    id: 'created-201',
    trigger: 'TEST-CREATED-201',
    effect: 'Create answers 201 instead of 200.',
  },
  {
    id: 'numbers',
    trigger: 'TEST-NUMBERS',
    effect: 'Create, query and tracking by reference give awb, sawb and AWB as numbers.',
  },
  {
    id: 'null-file',
    trigger: 'TEST-NULL-FILE',
    effect: 'Create gives awbFile as null; query has the file.',
  },
  {
    id: 'sparse',
    trigger: 'TEST-SPARSE',
    effect: 'Create and query give the waybills, a null sawb, a field that is new, and nothing else.',
  },
  {
    id: 'no-create-date',
    trigger: 'TEST-NO-DATE',
    effect: 'Create and query leave out createDate.',
  },
  {
    id: 'label-late',
    trigger: 'TEST-LABEL-LATE',
    effect: 'Create leaves out awbFile of the last piece; query has it.',
  },
  {
    id: 'no-label',
    trigger: 'TEST-NO-LABEL',
    effect: 'Create and query leave out awbFile of the last piece.',
  },
  {
    id: 'zpl',
    trigger: 'TEST-ZPL',
    effect: 'awbFile holds ZPL whatever WaybillType asked for.',
  },
  {
    id: 'not-indexed',
    trigger: 'TEST-NOT-INDEXED',
    effect: 'Query and tracking answer 404 during the first minute after creation (simulated clock).',
  },
  {
    id: 'lagging',
    trigger: 'TEST-LAGGING',
    effect: 'Query and tracking answer 404 for a random time of 0 to 40 s after creation (simulated clock).',
  },
  {
    id: 'bare-record',
    trigger: 'TEST-BARE-RECORD',
    effect: 'Tracking by reference answers one bare record, as the documents show, instead of an array.',
  },
  {
    id: 'no-scans',
    trigger: 'TEST-NO-SCANS',
    effect: 'Tracking leaves out Scans.',
  },
  {
    id: 'unknown-scan',
    trigger: 'TEST-UNKNOWN-SCAN',
    effect: 'Tracking adds a newest scan with the undocumented code ZZ9.',
  },
  {
    id: 'unknown-is-empty',
    trigger: 'TEST-UNKNOWN-EMPTY',
    effect: 'Tracking by an unknown reference answers 200 with an empty array instead of 404.',
  },
  {
    id: 'unknown-is-bodiless',
    trigger: 'TEST-UNKNOWN-BODILESS',
    effect: 'Tracking by an unknown reference answers 404 without a body.',
  },
] as const

export type ShippingScenario = (typeof shippingScenarios)[number]['id']

export const shippingScenarioIds = shippingScenarios.map(({ id }) => id)

/** The longest lag of the scenario `lagging`. */
export const longestLagMs = 40_000

export function scenariosIn(...texts: string[]): ReadonlySet<ShippingScenario> {
  const found = shippingScenarios.filter(({ trigger }) => texts.some((text) => text.includes(trigger)))
  return new Set(found.map(({ id }) => id))
}
