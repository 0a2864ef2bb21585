export { eraseClaimsOfUser } from './claims.queries.ts'
export { exportClaims, hasOpenClaim, isBagReported, readClaimStep } from './claims.ts'
