import type {} from 'i18next'

/** The texts of the desk. A key that is in no catalogue is a type error. */
declare module 'i18next' {
  interface ResourceNamespaceMap {
    desk: typeof import('./desk.en.json')
    'desk-actions': typeof import('./actions/desk-actions.en.json')
    'desk-approvals': typeof import('./approvals/desk-approvals.en.json')
    'desk-audit': typeof import('./audit/desk-audit.en.json')
    'desk-claims': typeof import('./claims/desk-claims.en.json')
    'desk-orders': typeof import('./orders/desk-orders.en.json')
    'desk-people': typeof import('./people/desk-people.en.json')
    'desk-stops': typeof import('./stops/desk-stops.en.json')
    'desk-work': typeof import('./work/desk-work.en.json')
    'desk-workers': typeof import('./workers/desk-workers.en.json')
  }
}
