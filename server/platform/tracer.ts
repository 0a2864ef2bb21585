import type { TraceContext } from './work.ts'

/** A span that is being measured. */
export interface Span {
  readonly context: TraceContext
  /** `error`: why it failed. */
  end(attributes?: Readonly<Record<string, string | number>>, error?: unknown): void
}

export interface Tracer {
  /** `name` is one of few: an operation, never an address or a number. */
  start(kind: 'server' | 'client' | 'internal', name: string, parent: TraceContext | undefined): Span
}

let tracer: Tracer | undefined

/** One for the process, as in the API of OpenTelemetry, which is loaded only where it is configured. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next
}

/** Undefined where no endpoint is configured: nothing is measured then. */
export const currentTracer = (): Tracer | undefined => tracer
