import { HomePage } from '#client/features/home/home.page.tsx'
import { useSession } from '#client/session/session.ts'

export function HomeRoute() {
  return <HomePage role={useSession().role} />
}
