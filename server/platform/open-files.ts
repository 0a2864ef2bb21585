import { gatewayLimits } from './gateway-limits.ts'
import { StartFailure } from './start-failure.ts'

export const fileReserve = 200
const leastConnections = 50

/** Undefined when the system does not limit open files. */
export function readFileLimit(): number | undefined {
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

export function connectionsFor(
  files: number | undefined,
  most = gatewayLimits.maxConnections,
): { readonly maxConnections: number; readonly warning?: string } {
  if (files === undefined || files - fileReserve >= most) return { maxConnections: most }
  const maxConnections = files - fileReserve
  const howToRaise = 'LimitNOFILE of systemd, ulimits of compose, ulimit -n elsewhere raise it'
  if (maxConnections < leastConnections)
    throw new StartFailure(
      `it may open ${files} files at once and needs at least ${fileReserve + leastConnections} (${howToRaise}).`,
    )
  return {
    maxConnections,
    warning: `The gateway may open ${files} files at once, so it accepts ${maxConnections} connections instead of ${most} (${howToRaise}).`,
  }
}
