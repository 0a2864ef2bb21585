import type { Endpoint } from '#shared/platform/operation.ts'

export type OperationValues = Readonly<Record<string, string | number | boolean | undefined>>

/** The path and query of an operation, for a call or a link. Undefined values are left out of the query. */
export function operationHref(
  operation: Endpoint,
  params: OperationValues = {},
  query: OperationValues = {},
): string {
  const path = operation.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${operation.path} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}
