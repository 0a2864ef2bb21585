/** The sum of `/metrics` of the gateways: `callbacks{outcome="applied"}` → 3. */
export async function metricsOf(gatewayUrls: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>()
  for (const url of gatewayUrls) {
    const response = await fetch(`${url}/metrics`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${url}/metrics answered ${response.status}: ${text}`)
    for (const [, series = '', value] of text.matchAll(/^([a-z_]+(?:\{[^}]*\})?) (\S+)$/gm))
      sums.set(series, (sums.get(series) ?? 0) + Number(value))
  }
  return sums
}
