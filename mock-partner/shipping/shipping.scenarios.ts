/**
 * Odd answers a real partner has been seen to give, or may give where its documents are silent, each reached by a magic
 * value. A trigger works wherever it stands in `OrderNumber`, `ContentDescription` or the consignee's `ContactName` of
 * the create request (so a tester reaches it from the app by signing up under such a name); for look-ups of a reference
 * nobody created, in the reference itself. Delays, lost connections, unreadable answers and lost answers to finished work are
 * not here: they are faults of any service (`PUT /control/faults/shipping`).
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
    effect: 'Tracking by a reference nobody created answers 200 with an empty array instead of 404.',
  },
  {
    id: 'unknown-is-bodiless',
    trigger: 'TEST-UNKNOWN-BODILESS',
    effect: 'Tracking by a reference nobody created answers 404 without a body.',
  },
] as const

export type ShippingScenario = (typeof shippingScenarios)[number]['id']

export function scenariosIn(...texts: string[]): ReadonlySet<ShippingScenario> {
  const found = shippingScenarios.filter(({ trigger }) => texts.some((text) => text.includes(trigger)))
  return new Set(found.map(({ id }) => id))
}
