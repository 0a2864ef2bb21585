import type { Endpoint } from '#shared/platform/operation.ts'

export const inquireAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/inquire',
  access: 'staff',
} as const satisfies Endpoint

export const noteAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/note',
  access: 'staff',
} as const satisfies Endpoint

export const checkedAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/checked',
  access: 'staff',
} as const satisfies Endpoint

export const resendAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/resend',
  access: 'staff',
} as const satisfies Endpoint

export const changeReceiverAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/receiver',
  access: 'staff',
} as const satisfies Endpoint

export const cancelAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/cancel',
  access: 'staff',
} as const satisfies Endpoint

export const reissueAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/reissue',
  access: 'staff',
} as const satisfies Endpoint

export const refundAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/refund',
  access: 'staff',
} as const satisfies Endpoint

export const writeOffAtDesk = {
  method: 'POST',
  path: '/api/desk/orders/:id/actions/write-off',
  access: 'staff',
} as const satisfies Endpoint

export const endAllSessions = {
  method: 'POST',
  path: '/api/desk/end-sessions',
  access: 'staff',
} as const satisfies Endpoint

export const listApprovals = {
  method: 'GET',
  path: '/api/desk/approvals',
  access: 'staff',
} as const satisfies Endpoint

export const revealApproval = {
  method: 'POST',
  path: '/api/desk/approvals/:id/reveal',
  access: 'staff',
} as const satisfies Endpoint

export const approveAtDesk = {
  method: 'POST',
  path: '/api/desk/approvals/:id/approve',
  access: 'staff',
} as const satisfies Endpoint

export const confirmAtDesk = {
  method: 'POST',
  path: '/api/desk/approvals/:id/confirm',
  access: 'staff',
} as const satisfies Endpoint

export const refuseAtDesk = {
  method: 'POST',
  path: '/api/desk/approvals/:id/refuse',
  access: 'staff',
} as const satisfies Endpoint
