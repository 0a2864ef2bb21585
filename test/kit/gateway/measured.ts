import type { Metrics } from '#server/platform/metrics.ts'

/** The value of a series in a scrape, such as `amtiati_refunds{state="due"}`; undefined when the scrape has no such series. */
export async function measured(
  { metrics }: { readonly metrics: Pick<Metrics, 'registry'> },
  series: string,
): Promise<number | undefined> {
  const [name = ''] = series.split('{')
  const text = await metrics.registry.getSingleMetricAsString(name)
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}
