import type { Page } from 'playwright-core'
import { metricsOf } from '../programs/metrics.ts'
import type { Stack } from '../programs/stack.ts'

/** Holds the requests of a page until the returned function is called. */
export async function holdRequests(page: Page, url: Parameters<Page['route']>[0]): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Every violation of a content security policy that the page reports from now on, across documents. */
export async function watchViolations(page: Page): Promise<readonly string[]> {
  const violations: string[] = []
  await page.exposeBinding('violated', (_, what: unknown) => void violations.push(String(what)))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { violated } = window as unknown as { violated(what: string): void }
      violated(`${effectiveDirective} ${blockedURI} at ${location.pathname}`)
    })
  })
  return violations
}

/** The violations that were reported to the gateway. */
export async function violationsCounted({ gatewayUrl }: Pick<Stack, 'gatewayUrl'>): Promise<number> {
  const metrics = await metricsOf([gatewayUrl])
  return [...metrics]
    .filter(([name]) => name.startsWith('amtiati_csp_reports_total'))
    .reduce((sum, [, value]) => sum + value, 0)
}
