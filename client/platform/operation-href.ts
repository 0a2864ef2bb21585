import type { OperationShape } from '#shared/platform/operation.ts'

/** The address of an operation a plain link may open, such as a file to download. */
export function operationHref(
  operation: OperationShape,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>> = {},
): string {
  const path = operation.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${operation.path} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(query)
  return search.size === 0 ? path : `${path}?${search}`
}
