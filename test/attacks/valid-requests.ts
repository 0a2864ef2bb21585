import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import type { operations } from '#shared/operations.ts'
import type { ValidRequest } from '#test/kit/gateway/hostile.ts'
import { rfcReader } from '#test/kit/gateway/web-push.ts'

/** What the requests are about. */
export interface Subjects {
  readonly orderId: number
  readonly unpaidId: number
  readonly droppedId: number
  readonly awb: string
  readonly userId: number
  readonly agentId: number
  readonly sessionId: string | undefined
  readonly offer: CheckoutRequest
  readonly phone: string
  readonly callback: Readonly<Record<string, unknown>>
}

/** A request of each operation that would be accepted from a caller with access: its path, where it has params, and its body. */
export function validRequests({
  orderId,
  unpaidId,
  droppedId,
  awb,
  userId,
  agentId,
  sessionId,
  offer,
  phone,
  callback,
}: Subjects): Readonly<Record<keyof typeof operations, Partial<Pick<ValidRequest, 'path' | 'body'>>>> {
  const { userId: _, amount, ...bookingDetails } = offer
  return {
    requestOtp: { body: { phone, name: 'Sara' } },
    readDelivery: {},
    verifyOtp: { body: { phone, code: '0000', name: 'Sara' } },
    sendAgentOtp: { body: { phone } },
    showPairing: { body: { phone: '+966500000101' } },
    verifyAgentOtp: { body: { phone, code: '0000' } },
    askConfirmation: { body: { purpose: 'export' } },
    verifyConfirmation: { body: { code: '0000' } },
    stopEmail: { body: { token: 'A'.repeat(22) } },
    addEmail: { body: { email: 'maryam@example.com' } },
    verifyEmail: { body: { code: '0000' } },
    removeEmail: { body: {} },
    recoverAccount: { body: { email: 'maryam@example.com', phone } },
    verifyRecovery: { body: { emailCode: '0000', phoneCode: '0000' } },
    readUserSession: {},
    updateUser: { body: { name: 'Sara' } },
    readAgentSession: {},
    logout: { body: {} },
    logoutEverywhere: { body: {} },
    listSessions: {},
    endSession: { path: `/api/auth/sessions/${sessionId}` },
    exportUser: {},
    deleteUser: {},
    sendReport: { body: { 'csp-report': { 'blocked-uri': 'inline' } } },
    listCenters: {},
    listAgents: {},
    readConfig: {},
    checkout: { body: { ...offer, receiver: { name: 'Sami', phone: '+966512345678' } } },
    createPaymentOrder: { body: { userId, amount, bookingDetails } },
    renewPayment: { path: `/api/orders/${unpaidId}/payment`, body: {} },
    changeReceiver: {
      path: `/api/orders/${unpaidId}/receiver`,
      body: { receiver: { name: 'Sami', phone: '+966512345678' }, secondPhone: '+966512345679' },
    },
    cancelOrder: { path: `/api/orders/${droppedId}/cancel`, body: {} },
    receiveCallback: { body: callback },
    receiveMessageStatus: { body: { MessageSid: 'SM1', MessageStatus: 'delivered' } },
    receiveScans: { body: { AWB: awb, Scans: [{ ScanType: 'DL', ScanDateTime: '2026-01-10T11:00:00' }] } },
    readOrder: { path: `/api/orders/${orderId}` },
    readOrderEvents: { path: `/api/orders/${orderId}/events` },
    listUserOrders: { path: `/api/orders/user/${userId}` },
    listAgentOrders: { path: `/api/orders/agent/${agentId}` },
    readAgentEvents: { path: `/api/orders/agent/${agentId}/events` },
    readLabel: { path: `/api/orders/barcode/${awb}` },
    readLabelPdf: { path: `/api/orders/barcode/${awb}.pdf` },
    createShare: { path: `/api/orders/${orderId}/share` },
    readOwnShare: { path: `/api/orders/${orderId}/share` },
    endShare: { path: `/api/orders/${orderId}/share` },
    openClaim: {
      path: `/api/orders/${orderId}/claims`,
      body: { kind: 'other', awb, text: 'The wheel of my bag is broken.' },
    },
    listClaims: { path: `/api/orders/${orderId}/claims` },
    writeToClaim: { path: '/api/claims/1/messages', body: { text: 'Hello?' } },
    withdrawClaim: { path: '/api/claims/1/withdraw', body: {} },
    storePhoto: { path: '/api/claims/1/photos/1' },
    readPhoto: { path: '/api/claims/1/photos/1' },
    readShare: { path: `/api/track/${'A'.repeat(43)}` },
    readShareEvents: { path: `/api/track/${'A'.repeat(43)}/events` },
    readPush: {},
    subscribePush: {
      body: {
        endpoint: 'https://fcm.googleapis.com/fcm/send/x',
        p256dh: rfcReader.p256dh,
        auth: 'A'.repeat(22),
      },
    },
    unsubscribePush: {},
    recordHandover: {
      body: { awb, receivedAt: '2027-05-18T12:30:00.000Z', sentAt: '2027-05-18T12:30:01.000Z' },
    },
    refuseBag: { body: { awb, reason: 'other', text: 'زجاج مكسور' } },
    undoHandover: { path: `/api/handovers/${awb}` },
    findForeignBag: { path: `/api/handovers/${awb}` },
    storeHandoverPhoto: { path: `/api/handovers/${awb}/photo` },
    readHandoverPhoto: { path: `/api/orders/${orderId}/bookings/${awb}/photo` },
    readWalletLink: { path: `/api/orders/${orderId}/wallet/${awb}` },
    readCalendar: { path: `/api/orders/${orderId}/visit.ics` },
    readReceiptPdf: { path: `/api/orders/${orderId}/receipt.pdf` },
    readDeskSession: {},
    signOutOfDesk: { body: {} },
    endDeskSessions: { body: { logout_token: 'e30.e30.' } },
    searchDesk: { body: { q: 'OD-1' } },
    listDeskOrders: {},
    readDeskOrder: { path: `/api/desk/orders/${orderId}` },
    revealDeskOrder: { path: `/api/desk/orders/${orderId}/reveal`, body: { reason: 'name' } },
    readDeskHandoverPhoto: { path: `/api/desk/orders/${orderId}/bookings/${awb}/photo` },
    readDeskPerson: { path: `/api/desk/people/${userId}` },
    askNumber: {
      path: `/api/desk/people/${userId}/number`,
      body: { phone: '+966512349999', reason: 'asked by phone' },
    },
    openAgent: {
      path: '/api/desk/agents/A01/open',
      body: { pairing: '123456', reason: 'asked by phone' },
    },
    unlockDeskPerson: { path: `/api/desk/people/${userId}/unlock`, body: { reason: 'asked by phone' } },
    endPersonSessions: {
      path: `/api/desk/people/${userId}/end-sessions`,
      body: { reason: 'asked by phone' },
    },
    endAllSessions: { body: { reason: 'a key was lost' } },
    openDeskClaim: {
      path: `/api/desk/orders/${orderId}/claims`,
      body: { kind: 'other', awb, text: 'The wheel of my bag is broken.' },
    },
    readDeskClaim: { path: '/api/desk/claims/1' },
    readDeskPhoto: { path: '/api/desk/claims/1/photos/1' },
    storeDeskPhoto: { path: '/api/desk/claims/1/photos/1' },
    answerDeskClaim: { path: '/api/desk/claims/1/answer', body: { text: 'We look for it.', question: true } },
    closeDeskClaim: {
      path: '/api/desk/claims/1/close',
      body: { outcome: 'compensated', text: 'Paid.', compensation: { halalas: 100, reference: 'T-1' } },
    },
    noteDeskClaim: {
      path: '/api/desk/claims/1/partner',
      body: { what: 'told', caseNumber: 'C-1', text: 'Told by mail.' },
    },
    readWork: {},
    listWork: { path: '/api/desk/work/bags' },
    takeWork: { path: '/api/desk/work/bags/1/take', body: {} },
    releaseWork: { path: '/api/desk/work/bags/1/release', body: {} },
    handWork: { path: '/api/desk/work/bags/1/hand', body: { to: 'huda', note: 'Call again.' } },
    endWork: { path: '/api/desk/work/messages/1/seen', body: { reason: 'told by phone' } },
    readDeskEvents: {},
    listAudit: {},
    listWorkers: {},
    pauseWorker: { path: '/api/desk/workers/refunds/pause', body: { reason: 'it is broken' } },
    resumeWorker: { path: '/api/desk/workers/refunds/resume', body: { reason: 'it is mended' } },
    inquireAtDesk: { path: `/api/desk/orders/${orderId}/actions/inquire`, body: { reason: 'they called' } },
    noteAtDesk: { path: `/api/desk/orders/${orderId}/actions/note`, body: { text: 'called back' } },
    checkedAtDesk: { path: `/api/desk/orders/${orderId}/actions/checked`, body: { reason: 'they called' } },
    resendAtDesk: { path: `/api/desk/orders/${orderId}/actions/resend`, body: { reason: 'they called' } },
    changeReceiverAtDesk: {
      path: `/api/desk/orders/${orderId}/actions/receiver`,
      body: { reason: 'they called', receiver: { name: 'Huda' } },
    },
    cancelAtDesk: { path: `/api/desk/orders/${orderId}/actions/cancel`, body: { reason: 'they called' } },
    reissueAtDesk: { path: `/api/desk/orders/${orderId}/actions/reissue`, body: { reason: 'they called' } },
    refundAtDesk: { path: `/api/desk/orders/${orderId}/actions/refund`, body: { reason: 'they called' } },
    writeOffAtDesk: {
      path: `/api/desk/orders/${orderId}/actions/write-off`,
      body: { reason: 'they called', transaction: '1' },
    },
    listApprovals: {},
    revealApproval: { path: '/api/desk/approvals/1/reveal', body: { reason: 'partner' } },
    approveAtDesk: { path: '/api/desk/approvals/1/approve', body: {} },
    confirmAtDesk: { path: '/api/desk/approvals/1/confirm', body: {} },
    refuseAtDesk: { path: '/api/desk/approvals/1/refuse', body: { reason: 'not agreed' } },
    readStops: {},
    replaceStops: { body: { stops: [], reason: 'all is well' } },
    readDemoOrder: { path: `/api/demo/orders/${orderId}` },
    resetDemo: { body: {} },
    moveDemoClock: { body: { advanceMs: 60_000 } },
  }
}
