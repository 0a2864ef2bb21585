import { useParams } from 'react-router-dom'
import { ClaimsPage } from '#client/features/claims/claims.page.tsx'

export function ClaimsRoute() {
  return <ClaimsPage orderId={useParams().id ?? ''} />
}
