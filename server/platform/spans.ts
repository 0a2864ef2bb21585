import type { Attributes, SpanContext } from '@opentelemetry/api'

/** A span that is being measured. */
export interface Span {
  readonly context: SpanContext
  /** @param error why it failed */
  end(attributes?: Attributes, error?: unknown): void
}

/**
 * Begins a span. A gateway has it only when it sends traces.
 * @param name of an operation or a worker: no address and no number
 * @param parent without one a new trace begins
 */
export type StartSpan = (kind: 'client' | 'internal', name: string, parent?: SpanContext) => Span
